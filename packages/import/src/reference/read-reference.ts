import { userKind } from '../conditions/clause.ts'
import type { ReadExport, ReadOptions } from '../flag-format.ts'
import { createKeyList, type KeyList, nameOf, renameLosses, tagsOf } from '../imported-names.ts'
import {
  emptySegment,
  type ImportedConfig,
  type ImportedFlag,
  type ImportedRule,
  type ImportedSegment,
  type Loss,
} from '../imported-project.ts'
import { errorAt, pointer } from '../read-shape.ts'
import { translateClauses } from './clauses.ts'
import {
  type ReferenceConfig,
  type ReferenceExport,
  type ReferenceFlag,
  type ReferenceSegment,
  readReferenceExport,
} from './export.ts'
import { keysByKind, otherKinds, type ReportLoss, reportSaltChange, translateServe, translateTargets } from './serve.ts'
import { unknownFlagProperties, unknownSegmentProperties } from './unknown-properties.ts'

interface ReferenceTranslation {
  readonly keys: KeyList
  /** Flags that exist and are not archived. */
  readonly activeFlags: ReadonlySet<string>
  readonly losses: Loss[]
  /** Segments that rules refer to, as `<environment>/<segment>`. */
  readonly referencedSegments: Set<string>
}

/**
 * Reads responses of the REST API on which this API is modeled: flags with `summary=0`, segments, environments,
 * projects.
 */
export function readReference(values: readonly unknown[], { environmentKey }: ReadOptions): ReadExport {
  const read = readReferenceExport(values)
  if (!read.ok) return read
  const environments = environmentsOf(read).filter(({ key }) => environmentKey === undefined || key === environmentKey)
  if (environments.length === 0) return errorAt('', `has no environment ${environmentKey ?? 'at all'}`)
  const environmentKeys = new Set(environments.map(({ key }) => key))
  const activeKeys = read.flags.filter(({ archived }) => archived !== true).map(({ key }) => key)
  const translation: ReferenceTranslation = {
    keys: createKeyList(read.flags.map(({ key }) => key)),
    activeFlags: new Set(activeKeys),
    losses: [],
    referencedSegments: new Set(),
  }
  const flags = read.flags.map((flag) => translateFlag(flag, environmentKeys, translation))
  const segments = read.segments
    .filter((segment) => environmentKeys.has(segment.environmentKey))
    .map((segment) => translateSegment(segment, translation))
  const allSegments = [...segments, ...missingSegments(segments, translation)]
  return {
    ok: true,
    importedProject: {
      environments,
      contextKinds: kindsIn(flags, allSegments),
      segments: allSegments,
      flags,
      losses: translation.losses,
      advice: [],
      examples: [],
    },
  }
}

/** Returns the environments in the export, and those that only flags and segments name. */
function environmentsOf({ environments, flags, segments }: ReferenceExport) {
  const environmentsByKey = new Map(
    environments.map(({ key, name, color }) => [key, { key, name: nameOf(name), ...(color ? { color } : {}) }]),
  )
  const add = (key: string, name: string) => {
    if (!environmentsByKey.has(key)) environmentsByKey.set(key, { key, name: nameOf(name) })
  }
  for (const flag of flags) {
    for (const [key, config] of Object.entries(flag.environments ?? {})) add(key, config._environmentName || key)
  }
  for (const { environmentKey } of segments) add(environmentKey, environmentKey)
  return [...environmentsByKey.values()]
}

function translateFlag(
  flag: ReferenceFlag,
  environmentKeys: ReadonlySet<string>,
  translation: ReferenceTranslation,
): ImportedFlag {
  const { keys, losses } = translation
  const key = keys.keyOf(flag.key)
  const position = { flag: key, at: flag.at }
  losses.push(...renameLosses({ flag: key }, flag.key, key), ...unknownFlagProperties(flag, position))
  const environments = Object.entries(flag.environments ?? {}).filter(([name]) => environmentKeys.has(name))
  const { migrationSettings: migration } = flag
  const values = flag.variations.map(({ value, name, description }) => ({
    value,
    ...(name ? { name: nameOf(name) } : {}),
    ...(description ? { description } : {}),
  }))
  return {
    key,
    from: flag.key,
    name: nameOf(flag.name || flag.key),
    ...(flag.description ? { description: flag.description } : {}),
    tags: tagsOf(flag.tags ?? []),
    temporary: flag.temporary === true,
    ...(migration ? { migrationSettings: migrationOf(migration) } : { variations: values }),
    customProperties: flag.customProperties ?? {},
    clientSideAvailability: {
      usingEnvironmentId: (flag.clientSideAvailability?.usingEnvironmentId ?? flag.includeInSnippet) === true,
      usingMobileKey: flag.clientSideAvailability?.usingMobileKey === true,
    },
    archived: flag.archived === true,
    deprecated: flag.deprecated === true,
    configs: Object.fromEntries(
      environments.map(([name, config]) => {
        const position = { flag: key, environment: name, at: pointer(flag.at, 'environments', name) }
        return [name, translateConfig(config, position, translation)]
      }),
    ),
  }
}

function migrationOf({ stageCount, contextKind }: NonNullable<ReferenceFlag['migrationSettings']>) {
  return { stageCount, ...(contextKind && stageCount === 6 ? { contextKind } : {}) }
}

type LossPosition = { readonly environment: string; readonly at: string } & Pick<Loss, 'flag' | 'segment'>

function lossReporter(position: LossPosition, losses: Loss[], ...path: readonly (string | number)[]): ReportLoss {
  return (loss) => losses.push({ ...position, at: pointer(position.at, ...path), ...loss })
}

function translateConfig(
  config: ReferenceConfig,
  position: LossPosition,
  translation: ReferenceTranslation,
): ImportedConfig {
  const { losses } = translation
  const targets = translateTargets([...(config.targets ?? []), ...(config.contextTargets ?? [])])
  const prerequisites = (config.prerequisites ?? []).filter(({ key }) => translation.activeFlags.has(key))
  const missing = (config.prerequisites ?? []).filter(({ key }) => !translation.activeFlags.has(key))
  for (const { key } of missing) reportMissingPrerequisite(key, lossReporter(position, losses, 'prerequisites'))
  return {
    on: config.on && missing.length === 0,
    targets: targets.filter(({ contextKind }) => contextKind === userKind),
    contextTargets: targets.filter(({ contextKind }) => contextKind !== userKind),
    rules: config.rules.flatMap((rule, index) => translateRule(rule, { position, index }, translation)),
    fallthrough: translateServe(config.fallthrough, lossReporter(position, losses, 'fallthrough')),
    ...(typeof config.offVariation === 'number' ? { offVariation: config.offVariation } : {}),
    prerequisites: prerequisites.map(({ key, variation }) => ({ key: translation.keys.keyOf(key), variation })),
    trackEvents: config.trackEvents === true,
    trackEventsFallthrough: config.trackEventsFallthrough === true,
  }
}

function reportMissingPrerequisite(key: string, reportLoss: ReportLoss): void {
  const why = 'the export does not contain that flag, or it is archived, so the prerequisite is never met'
  reportLoss({ what: `prerequisite ${key}`, why, instead: 'the flag is off', affects: 'nothing' })
}

/** The position of a rule. */
interface RulePosition {
  readonly position: LossPosition
  readonly index: number
}

function translateRule(
  rule: ReferenceConfig['rules'][number],
  { position, index }: RulePosition,
  translation: ReferenceTranslation,
): ImportedRule[] {
  const reportLoss = lossReporter(position, translation.losses, 'rules', index)
  const clauses = translateClauses(rule.clauses, reportLoss, (key) =>
    translation.referencedSegments.add(`${position.environment}/${key}`),
  )
  if (!clauses) return []
  const { _id, description, trackEvents } = rule
  return [
    {
      ...(_id ? { _id } : {}),
      ...(description ? { description } : {}),
      clauses,
      ...translateServe(rule, reportLoss),
      trackEvents: trackEvents === true,
    },
  ]
}

function translateSegment(segment: ReferenceSegment, translation: ReferenceTranslation): ImportedSegment {
  const { key, environmentKey: environment, at, description, unbounded } = segment
  const position = { segment: key, environment, at }
  translation.losses.push(...unknownSegmentProperties(segment, position))
  const base = {
    ...emptySegment(environment, key, nameOf(segment.name || key)),
    ...(description ? { description } : {}),
    tags: tagsOf(segment.tags ?? []),
  }
  if (unbounded) {
    const instead = `the segment is created empty: run halyard import segment keys.csv --segment ${key}`
    const why = 'the responses of the API do not contain the keys of big segments'
    translation.losses.push({ ...position, what: 'the keys of a big segment', why, instead, affects: 'values' })
    return { ...base, unboundedContextKind: segment.unboundedContextKind || userKind }
  }
  return {
    ...base,
    ...listsOf(segment),
    rules: (segment.rules ?? []).flatMap((rule, index) => translateSegmentRule(rule, { position, index }, translation)),
  }
}

/**
 * Returns the lists of a segment by context kind. Inclusion takes precedence, so a key in both lists is removed from
 * the excluded ones.
 */
function listsOf({ included, includedContexts, excluded, excludedContexts }: ReferenceSegment) {
  const includedByKind = keysByKind(included, includedContexts)
  const excludedByKind = new Map(
    [...keysByKind(excluded, excludedContexts)].map(([kind, keys]) => {
      const includedKeys = new Set(includedByKind.get(kind) ?? [])
      return [kind, keys.filter((item) => !includedKeys.has(item))] as const
    }),
  )
  return {
    included: includedByKind.get(userKind) ?? [],
    excluded: excludedByKind.get(userKind) ?? [],
    includedContexts: otherKinds(includedByKind),
    excludedContexts: otherKinds(excludedByKind),
  }
}

type SegmentRule = NonNullable<ReferenceSegment['rules']>[number]

function translateSegmentRule(
  rule: SegmentRule,
  { position, index }: RulePosition,
  translation: ReferenceTranslation,
): ImportedSegment['rules'] {
  const reportLoss = lossReporter(position, translation.losses, 'rules', index)
  const clauses = translateClauses(rule.clauses, reportLoss, (key) =>
    translation.referencedSegments.add(`${position.environment}/${key}`),
  )
  if (!clauses) return []
  const { _id, description, weight, rolloutContextKind, bucketBy } = rule
  const hasWeight = typeof weight === 'number'
  if (hasWeight && weight > 0 && weight < 100_000) reportSaltChange('a percentage in a segment', reportLoss)
  return [
    {
      ...(_id ? { _id } : {}),
      ...(description ? { description } : {}),
      clauses,
      ...(hasWeight ? { weight, rolloutContextKind: rolloutContextKind || userKind } : {}),
      ...(hasWeight && bucketBy ? { bucketBy } : {}),
    },
  ]
}

/**
 * Returns an empty segment for each one that rules refer to and the export does not contain. Neither a missing nor an
 * empty segment contains a context.
 */
function missingSegments(
  segments: readonly ImportedSegment[],
  { referencedSegments, losses }: ReferenceTranslation,
): ImportedSegment[] {
  const existing = new Set(segments.map(({ environmentKey, key }) => `${environmentKey}/${key}`))
  return [...referencedSegments]
    .filter((segmentId) => !existing.has(segmentId))
    .map((segmentId) => {
      const [environment, segment] = segmentId.split('/') as [string, string]
      const why = 'rules refer to it, and the export does not contain it'
      const instead = 'it is created empty; add the response of GET /api/v2/segments to the file'
      losses.push({ segment, environment, what: 'a segment', why, instead, affects: 'nothing' })
      return emptySegment(environment, segment, segment)
    })
}

/** Returns the context kinds that are used anywhere, except users. */
function kindsIn(flags: readonly ImportedFlag[], segments: readonly ImportedSegment[]): string[] {
  const configs = flags.flatMap(({ configs: places }) => Object.values(places))
  const rules = [...configs.flatMap((config) => config.rules), ...segments.flatMap((segment) => segment.rules)]
  const served = configs.flatMap(({ rules: ownRules, fallthrough }) => [...ownRules, fallthrough])
  const kinds = [
    ...rules.flatMap(({ clauses }) => clauses.map(({ contextKind }) => contextKind)),
    ...served.flatMap(({ rollout }) => rollout?.contextKind ?? []),
    ...configs.flatMap(({ contextTargets }) => contextTargets.map(({ contextKind }) => contextKind)),
    ...segments.flatMap((item) =>
      [...item.includedContexts, ...item.excludedContexts].map(({ contextKind }) => contextKind),
    ),
    ...segments.flatMap(({ unboundedContextKind }) => unboundedContextKind ?? []),
    ...segments.flatMap(({ rules: ownRules }) =>
      ownRules.flatMap(({ rolloutContextKind }) => rolloutContextKind ?? []),
    ),
  ]
  return [...new Set(kinds)].filter((kind) => kind !== userKind)
}
