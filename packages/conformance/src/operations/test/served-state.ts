import type { Engine } from '@halyard/core'
import { administrator, guardedProjectKey, guardedTag, productionSegments, testSegments } from './guarded-project.ts'

/** The flags of an environment whose evaluation is compared. */
export interface ComparedFlags {
  readonly projectKey: string
  readonly environmentKey: string
  readonly flagKeys: readonly string[]
}

/** 1,000 contexts, of two kinds and with three values of an attribute. */
const contexts = Array.from({ length: 1_000 }, (_, index) =>
  index % 10 === 0
    ? { kind: 'org', key: `o${index / 10}`, plan: 'free' }
    : { kind: 'user', key: `u${index}`, plan: ['gold', 'free', 'none'][index % 3] as string },
)

/** Number of contexts whose membership in big segments is looked up before each comparison. */
const lookedUp = 12

/** Returns the flags of all projects and environments that need approval. */
export async function comparedFlags(engine: Engine): Promise<readonly ComparedFlags[]> {
  const call = administrator(engine)
  interface Keys {
    readonly items: readonly { readonly key: string; readonly tags: readonly string[] }[]
  }
  const { items: projects } = await call<Keys>('listProjects', { limit: 100 })
  const compared: ComparedFlags[] = []
  for (const { key: projectKey } of projects) {
    const { items: environments } = await call<Keys>('listEnvironments', { projectKey, limit: 100 })
    const { items: flags } = await call<Keys>('listFlags', { projectKey, limit: 100 })
    for (const { key: environmentKey } of environments) {
      const byTag = projectKey === guardedProjectKey && environmentKey === 'test'
      const guarded = flags.filter(({ tags }) => !byTag || tags.includes(guardedTag))
      compared.push({ projectKey, environmentKey, flagKeys: guarded.map(({ key }) => key) })
    }
  }
  return compared
}

/** The state that guarded resources serve, as comparable texts by name. */
export type ServedState = Readonly<Record<string, string>>

/** Returns everything that guarded flags, segments and AI configs serve, as comparable texts by name. */
export async function servedState(engine: Engine, compared: readonly ComparedFlags[]): Promise<ServedState> {
  const state: Record<string, string> = {}
  for (const { projectKey, environmentKey, flagKeys } of compared) {
    const evaluator = engine.evaluator({ projectKey, environmentKey })
    await evaluator.ready().catch(() => undefined)
    for (const context of contexts.slice(0, lookedUp)) await evaluator.lookUpBigSegments(context)
    const evaluations = contexts.map((context) => evaluator.evaluateAll(context))
    for (const flagKey of flagKeys) {
      const values = evaluations.map((flags) => flags[flagKey]?.value ?? null)
      state[`${projectKey}/${environmentKey}/${flagKey}`] = JSON.stringify(values)
    }
  }
  if (compared.some(({ projectKey }) => projectKey === guardedProjectKey)) await addGuardedParts(engine, state)
  return state
}

/** Adds what applications receive of the guarded project in addition to evaluations. */
async function addGuardedParts(engine: Engine, state: Record<string, string>): Promise<void> {
  const call = administrator(engine)
  const config = { projectKey: guardedProjectKey, configKey: 'chat' }
  const read = async <Body>(id: string, keys: object): Promise<Partial<Body>> =>
    call<Body>(id, { projectKey: guardedProjectKey, ...keys }).catch(() => ({}))
  const pick = (body: Readonly<Record<string, unknown>>, names: readonly string[]) =>
    JSON.stringify(
      names.map((name) => body[name] ?? null),
      withSortedProperties,
    )
  for (const flagKey of ['main', 'paid'])
    state[`sdks of ${flagKey}`] = pick(await read('getFlag', { flagKey }), [
      'clientSideAvailability',
      'includeInSnippet',
    ])
  const lists = ['included', 'excluded', 'includedContexts', 'excludedContexts', 'rules', '_unboundedMetadata']
  for (const segmentKey of [...productionSegments, ...testSegments]) {
    const environmentKey = testSegments.includes(segmentKey) ? 'test' : 'production'
    state[`segment ${segmentKey}`] = pick(await read('getSegment', { environmentKey, segmentKey }), lists)
  }
  const { items = [] } = await read<{ items: readonly Record<string, unknown>[] }>('getAIConfigVariation', {
    ...config,
    variationKey: 'short',
  })
  state['variation short'] = pick(items[0] ?? {}, ['messages', 'model', 'state'])
  const parts = ['enabled', 'rules', 'fallthrough', 'targets', 'contextTargets', 'offVariation']
  for (const configKey of ['chat', 'tested']) {
    const { environments = {} } = await read<{ environments: Record<string, Record<string, unknown>> }>(
      'getAIConfigTargeting',
      { configKey },
    )
    state[`targeting of ${configKey}`] = pick(environments.production ?? {}, parts)
  }
}

/** Sorts the properties of objects for `JSON.stringify`, because a patch may change their order. */
function withSortedProperties(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
