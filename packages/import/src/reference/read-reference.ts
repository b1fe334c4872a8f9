import { userKind } from '../conditions/clause.ts'
import type { ReadExport, ReadOptions } from '../flag-format.ts'
import { createKeyList, type KeyList, nameOf, renamed, tagsOf } from '../moved-names.ts'
import {
  emptySegment,
  type Loss,
  type MovedConfig,
  type MovedFlag,
  type MovedRule,
  type MovedSegment,
} from '../moved-project.ts'
import { faultAt, pointer } from '../read-shape.ts'
import { tellClauses } from './clauses.ts'
import {
  type ReferenceConfig,
  type ReferenceExport,
  type ReferenceFlag,
  type ReferenceSegment,
  readReferenceExport,
} from './export.ts'
import { keysByKind, type LoseHere, otherKinds, tellSalt, tellServe, tellTargets } from './serve.ts'
import { flagStrangers, segmentStrangers } from './strangers.ts'

interface Reading {
  readonly keys: KeyList
  /** Flags that exist and are not archived. */
  readonly live: ReadonlySet<string>
  readonly losses: Loss[]
  /** Segments that rules refer to, as `<environment>/<segment>`. */
  readonly asked: Set<string>
}

/**
 * Reads responses of the REST API that this API is modeled on: flags with `summary=0`, segments, environments,
 * projects.
 */
export function readReference(values: readonly unknown[], { environmentKey }: ReadOptions): ReadExport {
  const read = readReferenceExport(values)
  if (!read.ok) return read
  const places = environmentsOf(read).filter(({ key }) => environmentKey === undefined || key === environmentKey)
  if (places.length === 0) return faultAt('', `has no environment ${environmentKey ?? 'at all'}`)
  const taken = new Set(places.map(({ key }) => key))
  const live = read.flags.filter(({ archived }) => archived !== true).map(({ key }) => key)
  const reading: Reading = {
    keys: createKeyList(read.flags.map(({ key }) => key)),
    live: new Set(live),
    losses: [],
    asked: new Set(),
  }
  const flags = read.flags.map((flag) => tellFlag(flag, taken, reading))
  const segments = read.segments
    .filter((segment) => taken.has(segment.environmentKey))
    .map((segment) => tellSegment(segment, reading))
  const whole = [...segments, ...missingSegments(segments, reading)]
  return {
    ok: true,
    moved: {
      environments: places,
      contextKinds: kindsIn(flags, whole),
      segments: whole,
      flags,
      losses: reading.losses,
      advice: [],
      examples: [],
    },
  }
}

/** Returns the environments in the export, and those that only flags and segments name. */
function environmentsOf({ environments, flags, segments }: ReferenceExport) {
  const found = new Map(
    environments.map(({ key, name, color }) => [key, { key, name: nameOf(name), ...(color ? { color } : {}) }]),
  )
  const add = (key: string, name: string) => {
    if (!found.has(key)) found.set(key, { key, name: nameOf(name) })
  }
  for (const flag of flags) {
    for (const [key, config] of Object.entries(flag.environments ?? {})) add(key, config._environmentName || key)
  }
  for (const { environmentKey } of segments) add(environmentKey, environmentKey)
  return [...found.values()]
}

function tellFlag(flag: ReferenceFlag, taken: ReadonlySet<string>, reading: Reading): MovedFlag {
  const { keys, losses } = reading
  const key = keys.keyOf(flag.key)
  const about = { flag: key, at: flag.at }
  losses.push(...renamed({ flag: key }, flag.key, key), ...flagStrangers(flag, about))
  const environments = Object.entries(flag.environments ?? {}).filter(([name]) => taken.has(name))
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
      usingEnvironmentId: flag.clientSideAvailability?.usingEnvironmentId === true,
      usingMobileKey: flag.clientSideAvailability?.usingMobileKey === true,
    },
    archived: flag.archived === true,
    deprecated: flag.deprecated === true,
    configs: Object.fromEntries(
      environments.map(([name, config]) => {
        const place = { flag: key, environment: name, at: pointer(flag.at, 'environments', name) }
        return [name, tellConfig(config, place, reading)]
      }),
    ),
  }
}

function migrationOf({ stageCount, contextKind }: NonNullable<ReferenceFlag['migrationSettings']>) {
  return { stageCount, ...(contextKind && stageCount === 6 ? { contextKind } : {}) }
}

type Place = { readonly environment: string; readonly at: string } & Pick<Loss, 'flag' | 'segment'>

function loser(place: Place, losses: Loss[], ...path: readonly (string | number)[]): LoseHere {
  return (loss) => losses.push({ ...place, at: pointer(place.at, ...path), ...loss })
}

function tellConfig(config: ReferenceConfig, place: Place, reading: Reading): MovedConfig {
  const { losses } = reading
  const targets = tellTargets([...(config.targets ?? []), ...(config.contextTargets ?? [])])
  const prerequisites = (config.prerequisites ?? []).filter(({ key }) => reading.live.has(key))
  const unmet = (config.prerequisites ?? []).filter(({ key }) => !reading.live.has(key))
  for (const { key } of unmet) tellUnmet(key, loser(place, losses, 'prerequisites'))
  return {
    on: config.on && unmet.length === 0,
    targets: targets.filter(({ contextKind }) => contextKind === userKind),
    contextTargets: targets.filter(({ contextKind }) => contextKind !== userKind),
    rules: config.rules.flatMap((rule, at) => tellRule(rule, place, at, reading)),
    fallthrough: tellServe(config.fallthrough, loser(place, losses, 'fallthrough')),
    ...(typeof config.offVariation === 'number' ? { offVariation: config.offVariation } : {}),
    prerequisites: prerequisites.map(({ key, variation }) => ({ key: reading.keys.keyOf(key), variation })),
    trackEvents: config.trackEvents === true,
    trackEventsFallthrough: config.trackEventsFallthrough === true,
  }
}

function tellUnmet(key: string, lose: LoseHere): void {
  const why = 'the export does not contain that flag, or it is archived, so the prerequisite is never met'
  lose({ what: `prerequisite ${key}`, why, instead: 'the flag is off', affects: 'nothing' })
}

function tellRule(rule: ReferenceConfig['rules'][number], place: Place, at: number, reading: Reading): MovedRule[] {
  const lose = loser(place, reading.losses, 'rules', at)
  const clauses = tellClauses(rule.clauses, lose, (key) => reading.asked.add(`${place.environment}/${key}`))
  if (!clauses) return []
  const { _id, description, trackEvents } = rule
  return [
    {
      ...(_id ? { _id } : {}),
      ...(description ? { description } : {}),
      clauses,
      ...tellServe(rule, lose),
      trackEvents: trackEvents === true,
    },
  ]
}

function tellSegment(segment: ReferenceSegment, reading: Reading): MovedSegment {
  const { key, environmentKey: environment, at, description, unbounded } = segment
  const place = { segment: key, environment, at }
  reading.losses.push(...segmentStrangers(segment, place))
  const base = {
    ...emptySegment(environment, key, nameOf(segment.name || key)),
    ...(description ? { description } : {}),
    tags: tagsOf(segment.tags ?? []),
  }
  if (unbounded) {
    const instead = `the segment is created empty: run halyard import segment keys.csv --segment ${key}`
    const why = 'the responses of the API do not contain the keys of big segments'
    reading.losses.push({ ...place, what: 'the keys of a big segment', why, instead, affects: 'values' })
    return { ...base, unboundedContextKind: segment.unboundedContextKind || userKind }
  }
  return {
    ...base,
    ...listsOf(segment),
    rules: (segment.rules ?? []).flatMap((rule, index) => tellSegmentRule(rule, place, index, reading)),
  }
}

/** Inclusion takes precedence, so a key in both lists is not excluded. */
function listsOf({ included, includedContexts, excluded, excludedContexts }: ReferenceSegment) {
  const inside = keysByKind(included, includedContexts)
  const outside = new Map(
    [...keysByKind(excluded, excludedContexts)].map(([kind, keys]) => {
      const within = new Set(inside.get(kind) ?? [])
      return [kind, keys.filter((one) => !within.has(one))] as const
    }),
  )
  return {
    included: inside.get(userKind) ?? [],
    excluded: outside.get(userKind) ?? [],
    includedContexts: otherKinds(inside),
    excludedContexts: otherKinds(outside),
  }
}

type SegmentRule = NonNullable<ReferenceSegment['rules']>[number]

function tellSegmentRule(rule: SegmentRule, place: Place, at: number, reading: Reading): MovedSegment['rules'] {
  const lose = loser(place, reading.losses, 'rules', at)
  const clauses = tellClauses(rule.clauses, lose, (key) => reading.asked.add(`${place.environment}/${key}`))
  if (!clauses) return []
  const { _id, description, weight, rolloutContextKind, bucketBy } = rule
  const isPart = typeof weight === 'number'
  if (isPart && weight > 0 && weight < 100_000) tellSalt('a percentage in a segment', lose)
  return [
    {
      ...(_id ? { _id } : {}),
      ...(description ? { description } : {}),
      clauses,
      ...(isPart ? { weight, rolloutContextKind: rolloutContextKind || userKind } : {}),
      ...(isPart && bucketBy ? { bucketBy } : {}),
    },
  ]
}

/** A missing segment contains no context, and neither does an empty one. */
function missingSegments(segments: readonly MovedSegment[], { asked, losses }: Reading): MovedSegment[] {
  const there = new Set(segments.map(({ environmentKey, key }) => `${environmentKey}/${key}`))
  return [...asked]
    .filter((place) => !there.has(place))
    .map((place) => {
      const [environment, segment] = place.split('/') as [string, string]
      const why = 'rules refer to it, and the export does not contain it'
      const instead = 'it is created empty; add the response of GET /api/v2/segments to the file'
      losses.push({ segment, environment, what: 'a segment', why, instead, affects: 'nothing' })
      return emptySegment(environment, segment, segment)
    })
}

/** Returns the context kinds that are used anywhere, except users. */
function kindsIn(flags: readonly MovedFlag[], segments: readonly MovedSegment[]): string[] {
  const configs = flags.flatMap(({ configs: places }) => Object.values(places))
  const rules = [...configs.flatMap((config) => config.rules), ...segments.flatMap((segment) => segment.rules)]
  const serves = configs.flatMap(({ rules: own, fallthrough }) => [...own, fallthrough])
  const kinds = [
    ...rules.flatMap(({ clauses }) => clauses.map(({ contextKind }) => contextKind)),
    ...serves.flatMap(({ rollout }) => rollout?.contextKind ?? []),
    ...configs.flatMap(({ contextTargets }) => contextTargets.map(({ contextKind }) => contextKind)),
    ...segments.flatMap((one) =>
      [...one.includedContexts, ...one.excludedContexts].map(({ contextKind }) => contextKind),
    ),
    ...segments.flatMap(({ unboundedContextKind }) => unboundedContextKind ?? []),
    ...segments.flatMap(({ rules: own }) => own.flatMap(({ rolloutContextKind }) => rolloutContextKind ?? [])),
  ]
  return [...new Set(kinds)].filter((kind) => kind !== userKind)
}
