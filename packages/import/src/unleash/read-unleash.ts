import { userKind } from '../conditions/clause.ts'
import { compileCondition } from '../conditions/compile-condition.ts'
import { all, type Condition, never } from '../conditions/condition.ts'
import { createSegmentPool, type SegmentPool } from '../conditions/segment-pool.ts'
import type { ReadExport, ReadOptions } from '../flag-format.ts'
import { createKeyList, type KeyList, nameOf, renamed, tagsOf } from '../moved-names.ts'
import {
  type AttributeExample,
  emptySegment,
  type Loss,
  type MovedConfig,
  type MovedFlag,
  type MovedSegment,
} from '../moved-project.ts'
import { pointer } from '../read-shape.ts'
import { type ConstraintNotes, constraintCondition } from './constraint.ts'
import { type PlacedSegment, readUnleashExport, type UnleashEnvironment, type UnleashFeature } from './export.ts'
import { tellDependencies, type UnleashParent } from './prerequisites.ts'
import { tellRules } from './rules.ts'
import { tellUnknownMembers } from './strangers.ts'
import { type UnleashValues, valuesByFeature } from './values.ts'

/** State that is collected while an export is read. */
interface Reading {
  readonly keys: KeyList
  readonly segmentKeys: KeyList
  readonly values: ReadonlyMap<string, UnleashValues>
  readonly losses: Loss[]
  readonly advice: Set<string>
  readonly examples: AttributeExample[]
}

/**
 * Reads features of Unleash: responses of `/api/admin/features-batch/export` or `/api/client/features`, or several of
 * them, one for each environment, one after the other.
 */
export function readUnleash(values: readonly unknown[], options: ReadOptions): ReadExport {
  const read = readUnleashExport(values, options)
  if (!read.ok) return read
  const { environments } = read
  const reading = beginReading(environments)
  const places = createKeyList(environments.map(({ name }) => name))
  const told = environments.map((environment) => tellEnvironment(environment, places.keyOf(environment.name), reading))
  const names = [...reading.values.keys()]
  return {
    ok: true,
    moved: {
      environments: environments.map(({ name }) => ({ key: places.keyOf(name), name: nameOf(name) })),
      contextKinds: [],
      segments: told.flatMap(({ segments }) => segments),
      flags: names.map((name) => tellFlag(name, environments, told, reading)),
      losses: reading.losses,
      advice: [
        'A userId is the key of a context here; other fields and properties are its attributes.',
        ...reading.advice,
      ],
      examples: reading.examples,
    },
  }
}

function beginReading(environments: readonly UnleashEnvironment[]): Reading {
  const values = valuesByFeature(environments)
  const segmentNames = environments.flatMap(({ segments }) => [...segments.values()].map(segmentName))
  return {
    keys: createKeyList([...values.keys()]),
    segmentKeys: createKeyList(segmentNames),
    values,
    losses: [],
    advice: new Set(),
    examples: [],
  }
}

interface ToldEnvironment {
  readonly key: string
  readonly segments: readonly MovedSegment[]
  readonly configs: ReadonlyMap<string, MovedConfig>
}

function tellEnvironment(environment: UnleashEnvironment, key: string, reading: Reading): ToldEnvironment {
  const pool = createSegmentPool(key)
  const segments = [...environment.segments.values()].map((one) => tellSegment(one, key, pool, reading))
  const parents = new Map(environment.features.map((feature) => [feature.name, parentOf(feature, reading)]))
  const configs = new Map(
    environment.features.map((feature) => {
      const about = { flag: reading.keys.keyOf(feature.name), environment: key }
      return [feature.name, tellConfig(feature, about, environment, parents, pool, reading)]
    }),
  )
  tellUnknownMembers(environment, (name) => reading.keys.keyOf(name), reading.losses)
  return { key, segments: [...segments, ...pool.made()], configs }
}

function parentOf(feature: UnleashFeature, { keys, values }: Reading): UnleashParent {
  return { key: keys.keyOf(feature.name), feature, values: values.get(feature.name) as UnleashValues }
}

function segmentName({ id, name }: { readonly id: number; readonly name?: string | null | undefined }): string {
  return name || `segment-${id}`
}

function tellSegment(
  segment: PlacedSegment,
  environmentKey: string,
  pool: SegmentPool,
  reading: Reading,
): MovedSegment {
  const name = segmentName(segment)
  const key = reading.segmentKeys.keyOf(name)
  const about = { segment: key, environment: environmentKey }
  const base = emptySegment(environmentKey, key, nameOf(name))
  const described = segment.description ? { ...base, description: segment.description.slice(0, 10_000) } : base
  if (!segment.constraints) {
    reading.losses.push({
      ...about,
      at: segment.at,
      what: 'its constraints',
      why: 'this export contains only the names of segments',
      instead: 'the segment is empty; append the response of /api/admin/segments to the file, and import it again',
      affects: 'values',
    })
    return described
  }
  const conditions = segment.constraints.map((one, at) =>
    constraintCondition(one, notesFor(about, pointer(segment.at, 'constraints', at), reading)),
  )
  return { ...described, rules: compileCondition(all(...conditions), pool).map((clauses) => ({ clauses })) }
}

function notesFor(about: Partial<Loss>, at: string, { losses, advice, examples }: Reading): ConstraintNotes {
  return {
    lose: (loss) => losses.push({ ...about, at, ...loss }),
    advise: (sentence) => advice.add(sentence),
    example: (example) => examples.push({ contextKind: userKind, ...example }),
  }
}

function tellConfig(
  feature: UnleashFeature,
  about: { readonly flag: string; readonly environment: string },
  { segments }: UnleashEnvironment,
  parents: ReadonlyMap<string, UnleashParent>,
  pool: SegmentPool,
  reading: Reading,
): MovedConfig {
  const values = reading.values.get(feature.name) as UnleashValues
  const segmentCondition = (id: number): Condition => {
    const segment = segments.get(id)
    return segment ? { kind: 'segment', key: reading.segmentKeys.keyOf(segmentName(segment)) } : never
  }
  const notesAt = (...path: readonly (string | number)[]) => notesFor(about, pointer(feature.at, ...path), reading)
  const { targets, rules, fallthrough } = tellRules({ feature, values, pool, segmentCondition, notesAt })
  const { prerequisites, blocked } = tellDependencies(
    feature,
    (name) => parents.get(name),
    notesAt('dependencies').lose,
  )
  return {
    on: feature.enabled === true && !blocked,
    targets: targets.length === 0 ? [] : [{ contextKind: userKind, values: targets, variation: values.enabled ?? 0 }],
    contextTargets: [],
    rules,
    fallthrough,
    offVariation: values.disabled,
    prerequisites,
    trackEvents: feature.impressionData === true,
    trackEventsFallthrough: false,
  }
}

/** Types of features that are meant to be removed. */
const temporaryTypes = ['release', 'experiment']

function tellFlag(
  name: string,
  environments: readonly UnleashEnvironment[],
  told: readonly ToldEnvironment[],
  { keys, values: all, losses }: Reading,
): MovedFlag {
  const features = environments.flatMap((environment) => environment.features.filter((one) => one.name === name))
  const [feature] = features as [UnleashFeature]
  const key = keys.keyOf(name)
  const values = all.get(name) as UnleashValues
  losses.push(...renamed({ flag: key }, name, key), ...tellValues(key, feature, values))
  const type = feature.type ?? 'release'
  const configs = told.flatMap((place) => {
    const config = place.configs.get(name)
    return config ? [[place.key, config] as const] : []
  })
  return {
    key,
    from: name,
    name: nameOf(name),
    ...(feature.description ? { description: feature.description.slice(0, 10_000) } : {}),
    tags: tagsOf(features.flatMap(({ tags }) => tags)),
    temporary: temporaryTypes.includes(type),
    variations: values.variations,
    customProperties: { type: { name: 'Type', value: [type.slice(0, 1000)] } },
    archived: features.every(({ archived }) => archived === true),
    deprecated: features.some(({ stale }) => stale === true),
    configs: Object.fromEntries(configs),
  }
}

function tellValues(flag: string, { at }: UnleashFeature, { form, variations, disabled }: UnleashValues): Loss[] {
  const off = JSON.stringify(variations[disabled]?.value)
  const [what, why, instead] = {
    boolean: ['', '', ''],
    names: ['', '', ''],
    payloads: ['the variant disabled', 'it has no payload, and every variation here has a value', `its value is ${off}`],
    both: [
      'payloads',
      'they are of several types, or missing',
      'values are objects of name and payload; disabled is {}',
    ],
  }[form] as [string, string, string]
  return what === '' ? [] : [{ flag, at, what, why, instead, affects: 'nothing' }]
}
