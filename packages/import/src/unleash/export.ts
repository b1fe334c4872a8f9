import * as v from 'valibot'
import { defaultEnvironmentKey, type ExportError, type ReadOptions } from '../flag-format.ts'
import { errorAt, pointer, readShape } from '../read-shape.ts'

const text = () => v.nullish(v.string())
const flag = () => v.nullish(v.boolean())

export const constraintShape = v.looseObject({
  contextName: v.string(),
  operator: v.string(),
  values: v.nullish(v.array(v.string())),
  value: v.nullish(v.union([v.string(), v.number()])),
  inverted: flag(),
  caseInsensitive: flag(),
})

const variantShape = v.looseObject({
  name: v.string(),
  weight: v.number(),
  stickiness: text(),
  payload: v.nullish(v.looseObject({ type: v.string(), value: v.string() })),
  overrides: v.nullish(v.array(v.looseObject({ contextName: v.string(), values: v.array(v.string()) }))),
})

const strategyShape = v.looseObject({
  name: v.string(),
  title: text(),
  disabled: flag(),
  parameters: v.nullish(v.record(v.string(), v.unknown())),
  constraints: v.nullish(v.array(constraintShape)),
  segments: v.nullish(v.array(v.number())),
  variants: v.nullish(v.array(variantShape)),
})

const dependencyShape = v.looseObject({
  feature: v.string(),
  enabled: flag(),
  variants: v.nullish(v.array(v.string())),
})

const featureShape = v.looseObject({
  name: v.string(),
  description: text(),
  type: text(),
  enabled: flag(),
  stale: flag(),
  archived: flag(),
  impressionData: flag(),
  strategies: v.nullish(v.array(strategyShape)),
  variants: v.nullish(v.array(variantShape)),
  dependencies: v.nullish(v.array(dependencyShape)),
})

const segmentShape = v.looseObject({
  id: v.number(),
  name: text(),
  description: text(),
  constraints: v.nullish(v.array(constraintShape)),
})

const clientShape = v.looseObject({ features: v.array(featureShape), segments: v.nullish(v.array(segmentShape)) })

const adminShape = v.looseObject({
  features: v.array(featureShape),
  featureStrategies: v.array(v.looseObject({ ...strategyShape.entries, featureName: v.string() })),
  featureEnvironments: v.nullish(
    v.array(
      v.looseObject({
        featureName: v.nullish(v.string()),
        name: v.nullish(v.string()),
        environment: text(),
        enabled: flag(),
        variants: v.nullish(v.array(variantShape)),
      }),
    ),
  ),
  featureTags: v.nullish(v.array(v.looseObject({ featureName: v.string(), tagType: text(), tagValue: v.string() }))),
  dependencies: v.nullish(v.array(v.looseObject({ feature: v.string(), dependencies: v.array(dependencyShape) }))),
  segments: v.nullish(v.array(segmentShape)),
})

export type UnleashConstraint = v.InferOutput<typeof constraintShape>
export type UnleashVariant = v.InferOutput<typeof variantShape>
export type UnleashStrategy = v.InferOutput<typeof strategyShape>
export type UnleashSegment = v.InferOutput<typeof segmentShape>

/** A feature in one environment, with everything that belongs to it. */
export interface UnleashFeature extends v.InferOutput<typeof featureShape> {
  readonly tags: readonly string[]
  /** JSON pointer to the feature. */
  readonly at: string
}

/** A segment and the JSON pointer to it. */
export type LocatedSegment = UnleashSegment & { readonly at: string }

export interface UnleashEnvironment {
  readonly name: string
  readonly features: readonly UnleashFeature[]
  readonly segments: ReadonlyMap<number, LocatedSegment>
  /** The properties of the response that the import does not read. */
  readonly unknownProperties: object
  readonly at: string
}

type UnleashExport = { readonly ok: true; readonly environments: readonly UnleashEnvironment[] } | ExportError

/**
 * Reads responses of an Unleash server: a feature export, or the features for a client; several exports, one for each
 * environment, one after the other. Lists of segments may be added, because exports contain only the names of segments.
 */
export function readUnleashExport(values: readonly unknown[], { environmentKey }: ReadOptions): UnleashExport {
  const environments: UnleashEnvironment[] = []
  const lists: UnleashSegment[] = []
  for (const [index, value] of values.entries()) {
    const at = values.length === 1 ? '' : `/${index}`
    if (isSegmentList(value)) {
      const read = readShape(v.looseObject({ segments: v.array(segmentShape) }), value, at)
      if (!read.ok) return read
      lists.push(...read.value.segments)
      continue
    }
    const read = isAdmin(value) ? readAdmin(value, at) : readClient(value, at)
    if ('ok' in read) return read
    environments.push(read)
  }
  const selected = selectEnvironments(environments, environmentKey)
  if (selected.length === 0) {
    return errorAt(
      '',
      environmentKey === undefined || values.length === 0
        ? 'contains no features'
        : `has no environment ${environmentKey}`,
    )
  }
  return { ok: true, environments: selected.map((item) => withSegments(item, lists)) }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const isAdmin = (value: unknown) => isObject(value) && 'featureStrategies' in value
const isSegmentList = (value: unknown) => isObject(value) && 'segments' in value && !('features' in value)

/**
 * If the export has a single environment, it is imported into the requested environment. If there are several, the
 * environment with the requested name is imported.
 */
function selectEnvironments(environments: readonly UnleashEnvironment[], environmentKey: string | undefined) {
  if (environments.length > 1 && environmentKey !== undefined) {
    return environments.filter(({ name }) => name === environmentKey)
  }
  return environments.map((item) => ({ ...item, name: environmentKey ?? (item.name || defaultEnvironmentKey) }))
}

function withSegments(environment: UnleashEnvironment, lists: readonly UnleashSegment[]): UnleashEnvironment {
  const segments = new Map(environment.segments)
  for (const segment of lists) {
    const existing = segments.get(segment.id)
    if (!existing?.constraints) segments.set(segment.id, { ...segment, at: existing?.at ?? '' })
  }
  return { ...environment, segments }
}

function readClient(value: unknown, at: string): UnleashEnvironment | ExportError {
  const read = readShape(clientShape, value, at)
  if (!read.ok) return read
  const { features, segments, ...rest } = read.value
  return {
    name: '',
    at,
    unknownProperties: rest,
    features: features.map((feature, index) => ({ ...feature, tags: [], at: pointer(at, 'features', index) })),
    segments: segmentsById(segments, at),
  }
}

function readAdmin(value: unknown, at: string): UnleashEnvironment | ExportError {
  const read = readShape(adminShape, value, at)
  if (!read.ok) return read
  const { features, featureStrategies, featureEnvironments, featureTags, dependencies, segments, ...rest } = read.value
  const environmentNames = [...new Set((featureEnvironments ?? []).flatMap(({ environment }) => environment ?? []))]
  if (environmentNames.length > 1) return errorAt(pointer(at, 'featureEnvironments'), 'must be of one environment')
  return {
    name: environmentNames[0] ?? '',
    at,
    unknownProperties: rest,
    segments: segmentsById(segments, at),
    features: features.map((feature, index): UnleashFeature => {
      const ofFeature = <T extends { readonly featureName?: string | null }>(list: readonly T[] | null | undefined) =>
        (list ?? []).filter(({ featureName }) => featureName === feature.name)
      const [featureEnvironment] = (featureEnvironments ?? []).filter(
        (item) => (item.featureName ?? item.name) === feature.name,
      )
      return {
        ...feature,
        at: pointer(at, 'features', index),
        enabled: featureEnvironment?.enabled ?? false,
        strategies: ofFeature(featureStrategies).toSorted((a, b) => orderOf(a) - orderOf(b)),
        variants: featureEnvironment?.variants ?? feature.variants,
        tags: ofFeature(featureTags).map(({ tagType, tagValue }) =>
          (tagType ?? 'simple') === 'simple' ? tagValue : `${tagType}.${tagValue}`,
        ),
        dependencies: (dependencies ?? []).find((item) => item.feature === feature.name)?.dependencies,
      }
    }),
  }
}

function orderOf({ sortOrder }: { readonly name: string; readonly sortOrder?: unknown }): number {
  return typeof sortOrder === 'number' ? sortOrder : 9999
}

function segmentsById(segments: readonly UnleashSegment[] | null | undefined, at: string) {
  return new Map((segments ?? []).map((item, index) => [item.id, { ...item, at: pointer(at, 'segments', index) }]))
}
