import type { Engine } from '@halyard/core'
import { adminToken } from '../../transport/seeded-engine.ts'

/** A project whose flags and segments depend on each other in every way, and the ids of everything in it. */
export interface GuardedProject {
  readonly projectKey: string
  readonly flagKeys: readonly string[]
  readonly segmentKeys: readonly string[]
  readonly requestIds: readonly string[]
  readonly scheduledChangeIds: readonly string[]
  readonly importIds: readonly string[]
  readonly phaseIds: readonly string[]
  readonly experiments?: GuardedExperiments
}

/** Experiments on flags and on an AI config. */
export interface GuardedExperiments {
  readonly keys: readonly string[]
  /** Requests of iterations that could start. */
  readonly iterations: readonly object[]
  /** Ids of the treatments of the running experiments. */
  readonly treatmentIds: readonly string[]
}

/**
 * Tag with which a flag or segment needs approval in the environment `test`. In `production` every flag and segment
 * needs approval.
 */
export const guardedTag = 'pay'

/** Keys of the segments of `production`. */
export const productionSegments = ['listed', 'ruled', 'nested', 'big']

/** Keys of the segments of `test`. `paid` has the tag; `loose` does not, but a flag with the tag targets it. */
export const testSegments = ['paid', 'loose']

/** Key of the project. */
export const guardedProjectKey = 'web'

const projectKey = guardedProjectKey
const production = { projectKey, environmentKey: 'production' }

/** Calls an operation as administrator. Inputs are not typed, because they are listed by operation id. */
export function administrator(engine: Engine) {
  const api = engine.api as unknown as Readonly<
    Record<string, (input: object, options: object) => Promise<Record<string, never>>>
  >
  return <Body = Record<string, unknown>>(id: string, input: object): Promise<Body> =>
    (api[id] as (input: object, options: object) => Promise<Body>)(input, { as: adminToken })
}

type Call = ReturnType<typeof administrator>

/**
 * Creates the project. It has flags with targets, rules, rollouts and prerequisites; segments with lists, rules and
 * nested segments, and a big segment; and a date at which a target of each kind expires. It also has a release, a
 * scheduled change, approval requests and an import; these must not take effect.
 */
export async function createGuardedProject(engine: Engine): Promise<GuardedProject> {
  const call = administrator(engine)
  await call('createProject', { body: { key: projectKey, name: 'Web' } })
  const importIds = await createSegments(call)
  const flagKeys = await createFlags(call)
  await createAIConfig(call)
  const phaseIds = await createRelease(call)
  const scheduled = await call<{ _id: string }>('createScheduledChange', {
    ...production,
    flagKey: 'base',
    body: { executionDate: 8_000_000_000_000, comment: 'later', instructions: [{ kind: 'turnFlagOff' }] },
  })
  return {
    projectKey,
    flagKeys,
    segmentKeys: [...productionSegments, ...testSegments],
    requestIds: await createRequests(call),
    scheduledChangeIds: [scheduled._id],
    importIds,
    phaseIds,
  }
}

async function createSegments(call: Call): Promise<readonly string[]> {
  const segmentMatch = (key: string) => ({ clauses: [{ attribute: '', op: 'segmentMatch', values: [key] }] })
  const segment = async (segmentKey: string, body: object, instructions: readonly object[]) => {
    await call('createSegment', { ...production, body: { key: segmentKey, name: segmentKey, ...body } })
    const patch = { environmentKey: 'production', instructions }
    if (instructions.length > 0) await call('patchSegment', { ...production, segmentKey, body: patch })
  }
  await segment('listed', {}, [
    { kind: 'addIncludedUsers', values: ['u1', 'u2', 'u3'] },
    { kind: 'addExcludedUsers', values: ['u4'] },
    { kind: 'addIncludedTargets', contextKind: 'org', values: ['o1'] },
  ])
  await segment('ruled', {}, [{ kind: 'addRule', clauses: [{ attribute: 'plan', op: 'in', values: ['gold'] }] }])
  await segment('nested', {}, [{ kind: 'addRule', ...segmentMatch('ruled') }])
  await segment('big', { unbounded: true }, [])
  await call('updateBigSegmentTargets', { ...production, segmentKey: 'big', body: { included: { add: ['u5', 'u6'] } } })
  const date = { kind: 'addExpiringTarget', targetType: 'included', contextKey: 'u3', value: expiryDate }
  await call('patchExpiringTargetsForSegment', { ...production, segmentKey: 'listed', body: { instructions: [date] } })
  const test = { projectKey, environmentKey: 'test' }
  const include = { environmentKey: 'test', instructions: [{ kind: 'addIncludedUsers', values: ['u1'] }] }
  for (const [segmentKey, tags] of [['paid', [guardedTag]] as const, ['loose', []] as const]) {
    await call('createSegment', { ...test, body: { key: segmentKey, name: segmentKey, tags } })
    await call('patchSegment', { ...test, segmentKey, body: include })
  }
  const imported = await call<{ id: string }>('createBigSegmentImport', {
    ...production,
    segmentKey: 'big',
    body: { file: 'u7\nu8\n', waitOnApprovals: 'true' },
  })
  return [imported.id]
}

/** Half a year after the clock of a seeded engine starts. */
const expiryDate = Date.UTC(2026, 6, 1)

async function createFlags(call: Call): Promise<readonly string[]> {
  const create = async (key: string, body: object = {}) => {
    const { variations } = await call<{ variations: readonly { _id: string }[] }>('createFlag', {
      projectKey,
      body: { key, name: key, ...body },
    })
    return variations.map(({ _id }) => _id)
  }
  const patch = (flagKey: string, instructions: readonly object[], environmentKey = 'production') =>
    call('patchFlag', { projectKey, flagKey, body: { environmentKey, instructions } })
  const match = (key: string) => [{ attribute: '', op: 'segmentMatch', values: [key] }]
  const letters = { variations: ['a', 'b', 'c'].map((value) => ({ value })) }

  const [yes] = await create('base')
  await create('gate')
  const [a, b, c] = (await create('main', letters)) as [string, string, string]
  await patch('main', [
    { kind: 'addPrerequisite', key: 'base', variationId: yes },
    { kind: 'addTargets', values: ['u10', 'u11'], variationId: b },
    { kind: 'addTargets', values: ['o2'], contextKind: 'org', variationId: c },
    { kind: 'addRule', clauses: match('listed'), variationId: c },
    { kind: 'addRule', clauses: match('nested'), variationId: b },
    { kind: 'addRule', clauses: match('big'), variationId: c },
    {
      kind: 'addRule',
      clauses: [{ attribute: 'plan', op: 'in', values: ['free'] }],
      rolloutWeights: { [a]: 50_000, [b]: 50_000 },
    },
    { kind: 'updateFallthroughVariationOrRollout', rolloutWeights: { [a]: 20_000, [b]: 30_000, [c]: 50_000 } },
    { kind: 'updateOffVariation', variationId: c },
  ])
  const date = { kind: 'addExpiringTarget', variationId: b, contextKey: 'u11', value: expiryDate }
  await call('patchExpiringTargets', { ...production, flagKey: 'main', body: { instructions: [date] } })
  const [paidYes, paidNo] = (await create('paid', { tags: [guardedTag, 'other'] })) as [string, string]
  const inTest = [
    { kind: 'addPrerequisite', key: 'base', variationId: yes },
    { kind: 'addTargets', values: ['u20'], variationId: paidNo },
    { kind: 'addRule', clauses: match('loose'), variationId: paidNo },
    turnOn,
  ]
  await patch('paid', inTest, 'test')
  await patch('paid', [{ kind: 'updateFallthroughVariationOrRollout', variationId: paidYes }], 'test')
  const [stage] = await create('moved', { purpose: 'migration', migrationSettings: { stageCount: 2 } })
  await patch('moved', [
    { kind: 'updateFallthroughVariationOrRollout', rolloutWeights: { [stage as string]: 100_000 } },
  ])
  await create('off')
  return ['base', 'gate', 'main', 'paid', 'moved', 'off']
}

const turnOn = { kind: 'turnFlagOn' }

async function createAIConfig(call: Call): Promise<void> {
  const keys = { projectKey, configKey: 'chat' }
  await call('createAIConfig', { projectKey, body: { key: 'chat', name: 'Chat', tags: [guardedTag] } })
  const variation = { key: 'short', name: 'Short', model: { name: 'm' }, messages: [{ role: 'system', content: 'x' }] }
  await call('createAIConfigVariation', { ...keys, body: variation })
  await call('createAIConfigVariation', { ...keys, body: { ...variation, key: 'long', name: 'Long' } })
  const { variations } = await call<{ variations: readonly { _id: string }[] }>('getAIConfigTargeting', keys)
  const target = { kind: 'addTargets', values: ['u1'], variationId: variations[0]?._id }
  await call('patchAIConfigTargeting', { ...keys, body: { environmentKey: 'production', instructions: [target] } })
}

/** Adds a flag and an AI config, each with a running experiment, and an experiment that has not started. */
export async function withExperiments(engine: Engine, project: GuardedProject): Promise<GuardedProject> {
  const call = administrator(engine)
  await call('createFlag', { projectKey, body: { key: 'tried', name: 'Tried' } })
  const body = { environmentKey: 'production', instructions: [turnOn] }
  await call('patchFlag', { projectKey, flagKey: 'tried', body })
  return { ...project, flagKeys: [...project.flagKeys, 'tried'], experiments: await createExperiments(call) }
}

async function createExperiments(call: Call): Promise<GuardedExperiments> {
  interface Variations {
    readonly variations: readonly { readonly _id: string }[]
  }
  interface Experiment {
    readonly currentIteration: { readonly treatments: readonly { readonly _id: string }[] }
  }
  const metric = { key: 'tried', name: 'Tried', kind: 'custom', eventKey: 'try', unitAggregationType: 'average' }
  await call('postMetric', { projectKey, body: metric })
  const config = { projectKey, configKey: 'tested' }
  await call('createAIConfig', { projectKey, body: { key: 'tested', name: 'Tested', tags: [guardedTag] } })
  for (const key of ['plain', 'warm']) await call('createAIConfigVariation', { ...config, body: { key, name: key } })
  const { variations: ofConfig } = await call<Variations>('getAIConfigTargeting', config)
  const serve = { kind: 'updateFallthroughVariationOrRollout', variationId: ofConfig[0]?._id }
  const body = { environmentKey: 'production', instructions: [turnOn, serve] }
  await call('patchAIConfigTargeting', { ...config, body })

  const iterationOn = (flagKey: string, [first, second]: Variations['variations']) => ({
    hypothesis: 'x',
    metrics: [{ key: 'tried' }],
    primarySingleMetricKey: 'tried',
    treatments: [first, second].map((variation, index) => ({
      name: `t${index}`,
      baseline: index === 0,
      allocationPercent: '40',
      parameters: [{ flagKey, variationId: variation?._id }],
    })),
    flags: { [flagKey]: { ruleId: 'fallthrough', flagConfigVersion: 1 } },
  })
  const flagVariations = async (flagKey: string) =>
    (await call<Variations>('getFlag', { projectKey, flagKey })).variations
  const iterations = {
    'ready-flag': iterationOn('base', await flagVariations('base')),
    'running-flag': iterationOn('tried', await flagVariations('tried')),
    'running-config': iterationOn('tested', ofConfig),
  }
  const treatmentIds: string[] = []
  for (const [experimentKey, iteration] of Object.entries(iterations)) {
    const created = { key: experimentKey, name: experimentKey, description: '', iteration }
    await call('createExperiment', { ...production, body: created })
    if (!experimentKey.startsWith('running')) continue
    const started = await call<Experiment>('patchExperiment', {
      ...production,
      experimentKey,
      body: { instructions: [{ kind: 'startIteration' }] },
    })
    treatmentIds.push(...started.currentIteration.treatments.map(({ _id }) => _id))
  }
  return { keys: Object.keys(iterations), iterations: Object.values(iterations), treatmentIds }
}

async function createRelease(call: Call): Promise<readonly string[]> {
  const audience = { environmentKey: 'production', name: 'All' }
  const phases = [{ name: 'First', audiences: [audience] }]
  await call('createReleasePipeline', { projectKey, body: { key: 'pipe', name: 'Pipe', phases } })
  const release = await call<{ phases: readonly { _id: string }[] }>('putRelease', {
    projectKey,
    flagKey: 'gate',
    body: { releasePipelineKey: 'pipe' },
  })
  return release.phases.map(({ _id }) => _id)
}

/** Creates requests for flags, a segment and an AI config, some of which are scheduled. None of them is approved. */
async function createRequests(call: Call): Promise<readonly string[]> {
  const request = async (resourceId: string, instruction: object, more: object = {}) =>
    (
      await call<{ _id: string }>('createApprovalRequest', {
        body: { resourceId, description: 'Please', instructions: [instruction], ...more },
      })
    )._id
  const resource = 'proj/web:env/production'
  return [
    await request(`${resource}:flag/main`, { kind: 'turnFlagOff' }),
    await request(`${resource}:flag/base`, { kind: 'turnFlagOff' }, { executionDate: Date.UTC(2026, 2, 1) }),
    await request(`${resource}:segment/listed`, { kind: 'addIncludedUsers', values: ['u30'] }),
    await request(`${resource}:aiconfig/chat`, { kind: 'turnFlagOn' }, { executionDate: Date.UTC(2026, 2, 1) }),
    await request('proj/web:aiconfig/chat', {
      kind: 'updateAIConfigVariation',
      variationKey: 'short',
      model: { name: 'requested' },
    }),
  ]
}

/** Turns on every flag of every project, except flags named `off`, then makes every environment require approval. */
export async function guard(engine: Engine): Promise<void> {
  const call = administrator(engine)
  const { items: projects } = await call<{ items: readonly { key: string }[] }>('listProjects', { limit: 100 })
  for (const { key } of projects) {
    const [environments, flags] = await Promise.all([
      call<{ items: readonly { key: string }[] }>('listEnvironments', { projectKey: key, limit: 100 }),
      call<{ items: readonly { key: string }[] }>('listFlags', { projectKey: key, limit: 100 }),
    ])
    for (const environment of environments.items) {
      const body = { environmentKey: environment.key, instructions: [turnOn] }
      for (const flag of flags.items) {
        if (flag.key !== 'off') await call('patchFlag', { projectKey: key, flagKey: flag.key, body })
      }
    }
    for (const environment of environments.items) await requireApproval(call, key, environment.key)
  }
}

async function requireApproval(call: Call, key: string, environmentKey: string): Promise<void> {
  const requiredApprovalTags = key === projectKey && environmentKey === 'test' ? [guardedTag] : []
  for (const resourceKind of ['flag', 'segment', 'aiconfig']) {
    await call('patchApprovalRequestSettings', {
      projectKey: key,
      body: { environmentKey, resourceKind, required: true, minNumApprovals: 2, requiredApprovalTags },
    })
  }
}
