import { userKind } from '../conditions/clause.ts'
import { compileCondition } from '../conditions/compile-condition.ts'
import { all, type Condition, never } from '../conditions/condition.ts'
import { createSegmentPool, type SegmentPool } from '../conditions/segment-pool.ts'
import type { ReadExport, ReadOptions } from '../flag-format.ts'
import { createKeyList, type KeyList, nameOf, renameLosses, tagsOf } from '../imported-names.ts'
import {
  type AttributeExample,
  emptySegment,
  type ImportedConfig,
  type ImportedFlag,
  type ImportedSegment,
  type Loss,
} from '../imported-project.ts'
import { pointer } from '../read-shape.ts'
import { type ConstraintNotes, constraintCondition } from './constraint.ts'
import { type LocatedSegment, readUnleashExport, type UnleashEnvironment, type UnleashFeature } from './export.ts'
import { translateDependencies, type UnleashParent } from './prerequisites.ts'
import { translateRules } from './rules.ts'
import { reportUnknownProperties } from './unknown-properties.ts'
import { type UnleashValues, valuesByFeature } from './values.ts'

/** State that is collected while an export is read. */
interface UnleashTranslation {
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
  const translation = startTranslation(environments)
  const environmentKeys = createKeyList(environments.map(({ name }) => name))
  const translated = environments.map((environment) =>
    translateEnvironment(environment, environmentKeys.keyOf(environment.name), translation),
  )
  const names = [...translation.values.keys()]
  return {
    ok: true,
    importedProject: {
      environments: environments.map(({ name }) => ({ key: environmentKeys.keyOf(name), name: nameOf(name) })),
      contextKinds: [],
      segments: translated.flatMap(({ segments }) => segments),
      flags: names.map((name) =>
        translateFlag({ name, environments, translatedEnvironments: translated }, translation),
      ),
      losses: translation.losses,
      advice: [
        'A userId becomes the key of a context; other fields and properties become its attributes.',
        ...translation.advice,
      ],
      examples: translation.examples,
    },
  }
}

function startTranslation(environments: readonly UnleashEnvironment[]): UnleashTranslation {
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

interface EnvironmentTranslation {
  readonly key: string
  readonly segments: readonly ImportedSegment[]
  readonly configs: ReadonlyMap<string, ImportedConfig>
}

function translateEnvironment(
  environment: UnleashEnvironment,
  key: string,
  translation: UnleashTranslation,
): EnvironmentTranslation {
  const pool = createSegmentPool(key)
  const segments = [...environment.segments.values()].map((item) =>
    translateSegment(item, { environmentKey: key, pool }, translation),
  )
  const parents = new Map(environment.features.map((feature) => [feature.name, parentOf(feature, translation)]))
  const read = { segments: environment.segments, parents, pool }
  const configs = new Map(
    environment.features.map((feature) => {
      const owner = { flag: translation.keys.keyOf(feature.name), environment: key }
      return [feature.name, translateConfig(feature, owner, read, translation)]
    }),
  )
  reportUnknownProperties(environment, (name) => translation.keys.keyOf(name), translation.losses)
  return { key, segments: [...segments, ...pool.segments()], configs }
}

function parentOf(feature: UnleashFeature, { keys, values }: UnleashTranslation): UnleashParent {
  return { key: keys.keyOf(feature.name), feature, values: values.get(feature.name) as UnleashValues }
}

function segmentName({ id, name }: { readonly id: number; readonly name?: string | null | undefined }): string {
  return name || `segment-${id}`
}

/** An environment, and the segments that are added to it. */
interface SegmentEnvironment {
  readonly environmentKey: string
  readonly pool: SegmentPool
}

function translateSegment(
  segment: LocatedSegment,
  { environmentKey, pool }: SegmentEnvironment,
  translation: UnleashTranslation,
): ImportedSegment {
  const name = segmentName(segment)
  const key = translation.segmentKeys.keyOf(name)
  const owner = { segment: key, environment: environmentKey }
  const base = emptySegment(environmentKey, key, nameOf(name))
  const withDescription = segment.description ? { ...base, description: segment.description.slice(0, 10_000) } : base
  if (!segment.constraints) {
    translation.losses.push({
      ...owner,
      at: segment.at,
      what: 'its constraints',
      why: 'this export contains only the names of segments',
      instead: 'the segment is empty; append the response of /api/admin/segments to the file, and import it again',
      affects: 'values',
    })
    return withDescription
  }
  const conditions = segment.constraints.map((item, position) =>
    constraintCondition(item, notesFor(owner, pointer(segment.at, 'constraints', position), translation)),
  )
  return { ...withDescription, rules: compileCondition(all(...conditions), pool).map((clauses) => ({ clauses })) }
}

function notesFor(
  owner: Partial<Loss>,
  position: string,
  { losses, advice, examples }: UnleashTranslation,
): ConstraintNotes {
  return {
    reportLoss: (loss) => losses.push({ ...owner, at: position, ...loss }),
    advise: (sentence) => advice.add(sentence),
    example: (example) => examples.push({ contextKind: userKind, ...example }),
  }
}

/**
 * The segments and the parent features of an environment, to which its features refer, and the pool for segments that
 * the import adds.
 */
interface ReadEnvironment extends Pick<UnleashEnvironment, 'segments'> {
  readonly parents: ReadonlyMap<string, UnleashParent>
  readonly pool: SegmentPool
}

function translateConfig(
  feature: UnleashFeature,
  owner: { readonly flag: string; readonly environment: string },
  { segments, parents, pool }: ReadEnvironment,
  translation: UnleashTranslation,
): ImportedConfig {
  const values = translation.values.get(feature.name) as UnleashValues
  const segmentCondition = (id: number): Condition => {
    const segment = segments.get(id)
    return segment ? { kind: 'segment', key: translation.segmentKeys.keyOf(segmentName(segment)) } : never
  }
  const notesAt = (...path: readonly (string | number)[]) => notesFor(owner, pointer(feature.at, ...path), translation)
  const { targets, rules, fallthrough } = translateRules({ feature, values, pool, segmentCondition, notesAt })
  const { prerequisites, blocked } = translateDependencies(
    feature,
    (name) => parents.get(name),
    notesAt('dependencies').reportLoss,
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

/** A feature in its environments, before and after the translation. */
interface TranslatedFeature {
  readonly name: string
  readonly environments: readonly UnleashEnvironment[]
  readonly translatedEnvironments: readonly EnvironmentTranslation[]
}

function translateFlag(
  { name, environments, translatedEnvironments }: TranslatedFeature,
  { keys, values: valuesByName, losses }: UnleashTranslation,
): ImportedFlag {
  const features = environments.flatMap((environment) => environment.features.filter((item) => item.name === name))
  const [feature] = features as [UnleashFeature]
  const key = keys.keyOf(name)
  const values = valuesByName.get(name) as UnleashValues
  losses.push(...renameLosses({ flag: key }, name, key), ...valueLosses(key, feature, values))
  const type = feature.type ?? 'release'
  const configs = translatedEnvironments.flatMap((environment) => {
    const config = environment.configs.get(name)
    return config ? [[environment.key, config] as const] : []
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

function valueLosses(
  flag: string,
  { at: position }: UnleashFeature,
  { form, variations, disabled }: UnleashValues,
): Loss[] {
  const disabledValue = JSON.stringify(variations[disabled]?.value)
  const [what, why, instead] = {
    boolean: ['', '', ''],
    names: ['', '', ''],
    payloads: [
      'the variant disabled',
      'it has no payload, and in Halyard every variation has a value',
      `its value is ${disabledValue}`,
    ],
    both: [
      'payloads',
      'they are of several types, or missing',
      'values are objects of name and payload; disabled is {}',
    ],
  }[form] as [string, string, string]
  return what === '' ? [] : [{ flag, at: position, what, why, instead, affects: 'nothing' }]
}
