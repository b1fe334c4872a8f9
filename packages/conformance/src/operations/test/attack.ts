import type { Engine } from '@halyard/core'
import type { Operation } from '@halyard/core/operations'
import type { Example } from '../example.ts'
import { generateValue, type SchemaParts, type ValueSource } from './generated-value.ts'
import {
  administrator,
  type GuardedExperiments,
  type GuardedProject,
  guardedTag,
  testSegments,
} from './guarded-project.ts'

/**
 * An operation to attack, with one kind of instruction where its body has instructions, or with one path where its body
 * is a JSON Patch.
 */
export interface Target {
  readonly operation: Operation
  readonly kind?: string
  readonly path?: string
}

/**
 * Returns every writing operation, once for each kind of instruction and for each path of a JSON Patch that it accepts.
 */
export function targetsOf(operations: readonly Operation[]): Target[] {
  return operations
    .filter(({ method }) => method !== 'GET')
    .flatMap((operation): Target[] => {
      const paths = operation.body?.kind === 'patch' ? operation.body.paths : []
      const targets = [
        ...instructionKinds(operation).map((kind) => ({ operation, kind })),
        ...paths.map((path) => ({ operation, path })),
      ]
      return targets.length === 0 ? [{ operation }] : targets
    })
}

function instructionKinds({ body }: Operation): string[] {
  if (body?.kind === 'patch') return kindsIn(body.semantic as SchemaParts | undefined)
  const { entries } = (body?.kind === 'json' ? body.schema : {}) as Partial<SchemaParts>
  return kindsIn(entries?.instructions?.item)
}

function kindsIn(instruction: SchemaParts | undefined): string[] {
  const options = instruction?.type === 'variant' ? (instruction.options as readonly SchemaParts[]) : []
  return options.map((option) => kindOf(option))
}

const kindOf = ({ entries }: SchemaParts) => String(entries?.kind?.literal)

/** The ids in a project by which bodies refer to its parts. */
export interface ProjectIds {
  readonly variations: Readonly<Record<string, readonly string[]>>
  readonly rules: Readonly<
    Record<string, readonly { readonly _id: string; readonly clauses: readonly { _id: string }[] }[]>
  >
  readonly documents: Readonly<Record<string, unknown>>
}

interface Rules {
  readonly rules: readonly { readonly _id: string; readonly clauses: readonly { _id: string }[] }[]
}

/** Reads the ids of all flags and segments. */
export async function readIds(engine: Engine, project: GuardedProject): Promise<ProjectIds> {
  const call = administrator(engine)
  const { projectKey } = project
  const variations: Record<string, string[]> = {}
  const rules: Record<string, Rules['rules']> = {}
  const documents: Record<string, unknown> = {}
  for (const flagKey of project.flagKeys) {
    const flag = await call<{ variations: { _id: string }[]; environments: Record<string, Rules> }>('getFlag', {
      projectKey,
      flagKey,
    })
    variations[flagKey] = flag.variations.map(({ _id }) => _id)
    rules[flagKey] = flag.environments.production?.rules ?? []
    documents[`patchFlag ${flagKey}`] = flag
  }
  for (const segmentKey of project.segmentKeys) {
    const environmentKey = testSegments.includes(segmentKey) ? 'test' : 'production'
    const segment = await call<Rules>('getSegment', { projectKey, environmentKey, segmentKey })
    rules[segmentKey] = segment.rules
    documents[`patchSegment ${segmentKey}`] = segment
  }
  documents['patchEnvironment '] = await call('getEnvironment', { projectKey, environmentKey: 'production' })
  documents['patchProject '] = await call('getProject', { projectKey })
  const { variations: ofConfig } = await call<{ variations: { _id: string }[] }>('getAIConfigTargeting', {
    projectKey,
    configKey: 'chat',
  })
  variations.chat = ofConfig.map(({ _id }) => _id)
  return { variations, rules, documents }
}

const semanticPatchType = 'application/json; domain-model=svc.semanticpatch'

/** Time in ms that is added to the account's clock for a time in the near future. */
const soon = 500

/** A guarded project, and the ids of its resources. */
export interface AttackedProject {
  readonly project: GuardedProject
  readonly ids: ProjectIds
}

/**
 * Generates a call of an operation that concerns the guarded project, and that succeeds often if approvals are not
 * checked.
 *
 * @param pick returns one of some values.
 */
export function attack(
  { operation, kind, path }: Target,
  { project, ids }: AttackedProject,
  now: number,
  pick: ValueSource['pick'],
): Example {
  // Of the flags and segments, only those with the key `paid` have a tag that requires approval, and only the flag
  // `main` and the segment `listed` have targets that expire.
  const concernsTags = /tags/i.test(kind ?? path ?? '')
  const concernsDates = operation.path.includes('expiring')
  const flagKeys = [...project.flagKeys, 'main', 'main', 'main', 'paid']
  const segmentKey = pick(concernsTags ? ['paid'] : concernsDates ? ['listed'] : project.segmentKeys)
  const environmentOfSegment = testSegments.includes(segmentKey) ? 'test' : 'production'
  const concernsSegment = operation.path.includes('segmentKey')
  const chosen = {
    projectKey: project.projectKey,
    environmentKey:
      concernsSegment || concernsDates ? environmentOfSegment : pick(['production', 'production', 'test']),
    flagKey: pick(concernsTags ? ['paid'] : concernsDates ? ['main'] : flagKeys),
    segmentKey,
    configKey: 'chat',
  }
  const source: ValueSource = {
    pick,
    valuesOf: valuesFor({ project, ids }, chosen, { operation, kind }, now),
    pickVariant: (options) => options.find((option) => kindOf(option) === kind) ?? pick(options),
  }
  const params = Object.fromEntries(
    [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      String(name in chosen ? chosen[name as keyof typeof chosen] : pick(source.valuesOf(name) ?? ['none'])),
    ]),
  )
  const accepted = (operation.query as SchemaParts | undefined)?.entries ?? {}
  const requested = ['bypassRequiredApproval', 'detach'].filter((name) => name in accepted && pick([true, false]))
  const query = Object.fromEntries(requested.map((name) => [name, 'true']))
  const subject = 'flagKey' in params ? chosen.flagKey : 'segmentKey' in params ? chosen.segmentKey : ''
  return {
    params,
    query,
    ...bodyFor(
      operation,
      { kind, path },
      { document: ids.documents[`${operation.id} ${subject}`], keys: chosen },
      source,
    ),
  }
}

/** A document, and the keys of its environment. */
interface AttackedDocument {
  readonly document: unknown
  readonly keys: { readonly environmentKey: string }
}

function bodyFor(
  { body }: Operation,
  { kind, path = '/name' }: Pick<Target, 'kind' | 'path'>,
  { document, keys: { environmentKey } }: AttackedDocument,
  source: ValueSource,
): Pick<Example, 'body' | 'text' | 'mediaType'> {
  if (!body) return {}
  if (body.kind === 'upload') return { text: 'u9\n', mediaType: body.mediaType }
  if (body.kind === 'json') return { body: generateValue(body.schema, 'body', source) }
  if (kind === undefined) return { body: jsonPatchOf(document, path, source) }
  const instruction = generateValue(body.semantic, 'instruction', source)
  return { body: { environmentKey, comment: 'x', instructions: [instruction] }, mediaType: semanticPatchType }
}

/** Returns a patch of a part of a document that a path selects. */
function jsonPatchOf(document: unknown, selection: string, source: ValueSource): object[] {
  const { pick } = source
  const pattern = new RegExp(`^${selection.replace('/**', '(/.*)?').replaceAll('/*/', '/[^/]+/')}$`)
  const parts = partsOf(document).filter(([pointer]) => pattern.test(pointer))
  if (parts.length === 0) return [{ op: 'add', path: selection.replace('/**', ''), value: 'x' }]
  const [path, value] = pick(parts)
  const op = pick(['replace', 'replace', 'replace', 'remove', 'copy', 'move'])
  if (op === 'remove') return [{ op, path }]
  if (op === 'replace') return [{ op, path, value: changed(value, source) }]
  return [{ op, from: pick(parts)[0], path }]
}

/** Returns the parts of a JSON value with their pointers. */
function partsOf(value: unknown, pointer = ''): (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[pointer, value]]
  const inner = Object.entries(value).flatMap(([name, part]) => partsOf(part, `${pointer}/${name}`))
  return [[pointer, value], ...inner]
}

/** Returns another value of the same type. */
function changed(value: unknown, { pick, valuesOf }: ValueSource): unknown {
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return pick([0, 1, 2, 50_000, 100_000])
  if (typeof value === 'string') return pick(valuesOf('values') as readonly unknown[])
  if (!Array.isArray(value)) return value
  return pick([value.slice(1), value.toReversed(), [...value, pick(valuesOf('values') as readonly unknown[])], []])
}

/** Valid properties of AI configs and their variations; those that refer to other resources are left out. */
const aiConfigValues: Readonly<Record<string, readonly unknown[]>> = {
  tags: [guardedTag, 'other'],
  maintainerId: [undefined],
  maintainerTeamKey: [undefined],
  evaluationMetricKey: [undefined],
  evaluationMetricKeys: [undefined],
  // The config is not of mode `agent`.
  instructions: [undefined],
  role: ['system', 'user'],
  content: ['x', 'y'],
  model: [{ name: 'm' }, { name: 'other' }],
  modelConfigKey: [undefined],
  tools: [undefined],
  judgeConfiguration: [undefined],
}

/** Valid properties of experiments and their iterations. */
function experimentValues(experiments: GuardedExperiments): Readonly<Record<string, readonly unknown[]>> {
  return {
    experimentKey: experiments.keys,
    iteration: experiments.iterations,
    winningTreatmentId: [...experiments.treatmentIds, undefined],
    changeJustification: ['x'],
    maintainerId: [undefined],
    holdoutId: [undefined],
  }
}

/** Returns the function that gives values for a property or parameter by its name. */
function valuesFor(
  { project, ids }: AttackedProject,
  chosen: Readonly<Record<'environmentKey' | 'flagKey' | 'segmentKey', string>>,
  { operation: { path }, kind = '' }: Target,
  now: number,
): ValueSource['valuesOf'] {
  const subject = path.includes('segments') ? chosen.segmentKey : chosen.flagKey
  const variationIds = (path.includes('ai-configs') ? ids.variations.chat : ids.variations[chosen.flagKey]) ?? []
  const rules = ids.rules[subject] ?? []
  const ruleIds = rules.map(({ _id }) => _id)
  const clauseIds = rules.flatMap(({ clauses }) => clauses.map(({ _id }) => _id))
  const targets = path.includes('segments') ? ['u1', 'u2', 'u3', 'u4', 'o1'] : ['u10', 'u11', 'u20', 'o2']
  const contextKeys = path.includes('expiring') ? targets : [...targets, 'u40', 'o3']
  const dates = [now + soon, now + 40 * 24 * 3_600_000]
  const otherEnvironment = chosen.environmentKey === 'test' ? 'production' : 'test'
  const values: Readonly<Record<string, readonly unknown[]>> = {
    environmentKey: [chosen.environmentKey],
    flagKey: project.flagKeys,
    segmentKey: project.segmentKeys,
    key: [...project.flagKeys, chosen.environmentKey, otherEnvironment, 'new'],
    name: ['x'],
    // Versions of an expiry date: the first version, and no version.
    version: [1, undefined],
    variationId: variationIds,
    onVariationValue: [true, false, 'a', 'b'],
    offVariationValue: [true, false, 'a', 'b'],
    releaseVariationId: variationIds,
    ruleId: ruleIds,
    ruleIds,
    beforeRuleId: ruleIds,
    clauseId: clauseIds,
    clauseIds,
    values: kind.endsWith('Tags') ? [guardedTag, 'other'] : [...contextKeys, 'gold', 'free', 'listed', 'a', 'b'],
    contextKey: contextKeys,
    userKey: contextKeys,
    add: contextKeys,
    remove: contextKeys,
    contextKind: ['user', 'user', 'org'],
    rolloutContextKind: ['user'],
    attribute: ['key', 'plan', ''],
    rolloutWeights: variationIds.map((id) => ({ [id]: 100_000 })),
    value: kind.startsWith('turn')
      ? ['usingEnvironmentId', 'usingMobileKey']
      : [...dates, ...(path.includes('expiring') ? [] : ['x', 'x', true])],
    executionDate: [now + soon],
    importId: project.importIds,
    phaseId: project.phaseIds,
    pipelineKey: ['pipe'],
    releasePipelineKey: ['pipe'],
    variationKey: ['short', 'long'],
    id: path.includes('scheduled-changes') ? project.scheduledChangeIds : project.requestIds,
    resourceId: [
      ...['flag/main', 'segment/listed', 'aiconfig/chat'].map((part) => `proj/web:env/production:${part}`),
      'proj/web:aiconfig/chat',
    ],
    kind: ['approve', 'user'],
    description: ['x'],
    comment: ['x'],
    weight: [0, 100_000],
    clone: project.flagKeys,
    color: ['000000'],
    status: ['Started', 'Completed', 'Paused'],
    ...(path.includes('ai-configs') ? aiConfigValues : {}),
    ...(path.includes('experiments') && project.experiments ? experimentValues(project.experiments) : {}),
  }
  return (name) => {
    const known = values[name]
    return known && known.length > 0 ? known : undefined
  }
}
