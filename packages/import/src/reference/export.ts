import * as v from 'valibot'
import type { ExportError } from '../flag-format.ts'
import { errorAt, pointer, readShape } from '../read-shape.ts'

const text = () => v.nullish(v.string())
const keys = () => v.nullish(v.array(v.string()))

export const clauseShape = v.looseObject({
  _id: text(),
  attribute: text(),
  op: v.string(),
  values: v.array(v.unknown()),
  negate: v.nullish(v.boolean()),
  contextKind: text(),
})

const serveEntries = {
  variation: v.nullish(v.number()),
  rollout: v.nullish(
    v.looseObject({
      kind: text(),
      contextKind: text(),
      bucketBy: text(),
      variations: v.array(v.looseObject({ variation: v.number(), weight: v.number() })),
    }),
  ),
}

const targetsShape = v.nullish(
  v.array(v.looseObject({ values: v.array(v.string()), variation: v.number(), contextKind: text() })),
)

const configShape = v.looseObject({
  on: v.boolean(),
  salt: text(),
  targets: targetsShape,
  contextTargets: targetsShape,
  // A summary response has no rules, and a flag without its rules would serve other values.
  rules: v.array(
    v.looseObject({
      _id: text(),
      description: text(),
      ...serveEntries,
      clauses: v.array(clauseShape),
      trackEvents: v.nullish(v.boolean()),
    }),
  ),
  fallthrough: v.looseObject(serveEntries),
  offVariation: v.nullish(v.number()),
  prerequisites: v.nullish(v.array(v.looseObject({ key: v.string(), variation: v.number() }))),
  trackEvents: v.nullish(v.boolean()),
  trackEventsFallthrough: v.nullish(v.boolean()),
  _environmentName: text(),
})

const flagShape = v.looseObject({
  key: v.string(),
  name: text(),
  description: text(),
  variations: v.array(v.looseObject({ value: v.unknown(), name: text(), description: text() })),
  temporary: v.nullish(v.boolean()),
  tags: keys(),
  archived: v.nullish(v.boolean()),
  deprecated: v.nullish(v.boolean()),
  customProperties: v.nullish(v.record(v.string(), v.looseObject({ name: v.string(), value: v.array(v.string()) }))),
  clientSideAvailability: v.nullish(
    v.looseObject({ usingEnvironmentId: v.nullish(v.boolean()), usingMobileKey: v.nullish(v.boolean()) }),
  ),
  // Replaces `usingEnvironmentId` in exports without `clientSideAvailability`.
  includeInSnippet: v.nullish(v.boolean()),
  purpose: text(),
  migrationSettings: v.nullish(v.looseObject({ stageCount: v.picklist([2, 4, 6]), contextKind: text() })),
  environments: v.nullish(v.record(v.string(), configShape)),
})

const segmentTargets = v.nullish(v.array(v.looseObject({ contextKind: text(), values: v.array(v.string()) })))

const segmentShape = v.looseObject({
  key: v.string(),
  name: text(),
  description: text(),
  tags: keys(),
  included: keys(),
  excluded: keys(),
  includedContexts: segmentTargets,
  excludedContexts: segmentTargets,
  unbounded: v.nullish(v.boolean()),
  unboundedContextKind: text(),
  rules: v.nullish(
    v.array(
      v.looseObject({
        _id: text(),
        description: text(),
        clauses: v.array(clauseShape),
        weight: v.nullish(v.number()),
        rolloutContextKind: text(),
        bucketBy: text(),
      }),
    ),
  ),
  _links: v.object({ self: v.object({ href: v.string() }) }),
})

const environmentShape = v.looseObject({ key: v.string(), name: v.string(), color: text() })

export type ReferenceClause = v.InferOutput<typeof clauseShape>
export type ReferenceConfig = v.InferOutput<typeof configShape>
export type ReferenceServe = Pick<ReferenceConfig['rules'][number], 'variation' | 'rollout'>
export type ReferenceFlag = v.InferOutput<typeof flagShape> & { readonly at: string }
export type ReferenceSegment = v.InferOutput<typeof segmentShape> & {
  readonly at: string
  readonly environmentKey: string
}
export type ReferenceEnvironment = v.InferOutput<typeof environmentShape>

export interface ReferenceExport {
  readonly ok: true
  readonly flags: readonly ReferenceFlag[]
  readonly segments: readonly ReferenceSegment[]
  readonly environments: readonly ReferenceEnvironment[]
}

/**
 * Reads responses of the REST API: flags, segments, environments and projects, one by one, as pages or lists of them,
 * or as properties `flags`, `segments`, `environments` and `project` of an object; in any order, and each once.
 */
export function readReferenceExport(values: readonly unknown[]): ReferenceExport | ExportError {
  const collected = { flags: new Map(), segments: new Map(), environments: new Map() } as CollectedExport
  for (const [index, value] of values.entries()) {
    const error = collectValue(value, values.length === 1 ? '' : `/${index}`, collected)
    if (error) return error
  }
  if (collected.flags.size + collected.segments.size === 0) return errorAt('', 'contains no flags')
  const [flags, segments, environments] = [collected.flags, collected.segments, collected.environments].map((item) => [
    ...item.values(),
  ])
  return { ok: true, flags, segments, environments } as ReferenceExport
}

interface CollectedExport {
  readonly flags: Map<string, ReferenceFlag>
  readonly segments: Map<string, ReferenceSegment>
  readonly environments: Map<string, ReferenceEnvironment>
}

function collectValue(value: unknown, at: string, collected: CollectedExport): ExportError | undefined {
  if (Array.isArray(value)) return collectAll(value, at, collected)
  if (typeof value !== 'object' || value === null) return errorAt(at, 'must be a response of the API')
  const properties = value as Readonly<Record<string, unknown>>
  if (Array.isArray(properties.items)) return collectAll(properties.items, pointer(at, 'items'), collected)
  if (Array.isArray(properties.variations)) return addFlag(properties, at, collected)
  if ('included' in properties || 'unbounded' in properties) return addSegment(properties, at, collected)
  const lists = ['flags', 'segments', 'environments', 'project'].filter((name) => typeof properties[name] === 'object')
  if (lists.length > 0) {
    return firstError(lists.map((name) => () => collectValue(properties[name], pointer(at, name), collected)))
  }
  if ('key' in properties && 'color' in properties) return addEnvironment(properties, at, collected)
  // A project without its environments contains nothing that is read.
  return 'key' in properties ? undefined : errorAt(at, 'must be a flag, a segment, an environment or a page of them')
}

function collectAll(list: readonly unknown[], at: string, collected: CollectedExport): ExportError | undefined {
  return firstError(list.map((item, index) => () => collectValue(item, pointer(at, index), collected)))
}

function firstError(steps: readonly (() => ExportError | undefined)[]): ExportError | undefined {
  for (const step of steps) {
    const error = step()
    if (error) return error
  }
  return undefined
}

function addFlag(value: object, at: string, { flags }: CollectedExport): ExportError | undefined {
  const read = readShape(flagShape, value, at)
  if (!read.ok)
    return /\/rules$/.test(read.at) ? errorAt(read.at, 'must be present: request flags with summary=0') : read
  if (!flags.has(read.value.key)) flags.set(read.value.key, { ...read.value, at })
  return undefined
}

/** Responses about segments contain their environment only in their links. */
function addSegment(value: object, at: string, { segments }: CollectedExport): ExportError | undefined {
  const read = readShape(segmentShape, value, at)
  if (!read.ok) return read
  const { key, _links } = read.value
  const environmentKey = /\/segments\/[^/]+\/([^/?]+)/.exec(_links.self.href)?.[1]
  if (environmentKey === undefined) return errorAt(pointer(at, '_links', 'self', 'href'), 'must name an environment')
  const segmentId = `${environmentKey}/${key}`
  if (!segments.has(segmentId)) segments.set(segmentId, { ...read.value, at, environmentKey })
  return undefined
}

function addEnvironment(value: object, at: string, { environments }: CollectedExport): ExportError | undefined {
  const read = readShape(environmentShape, value, at)
  if (!read.ok) return read
  environments.set(read.value.key, read.value)
  return undefined
}
