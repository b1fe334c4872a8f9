import { examplesOf } from '../conditions/presence.ts'
import { createSegmentPool } from '../conditions/segment-pool.ts'
import type { ReadExport, ReadOptions } from '../flag-format.ts'
import { createKeyList, nameOf, renameLosses, tagsOf } from '../imported-names.ts'
import type { ImportedConfig, ImportedFlag, ImportedSegment, Loss } from '../imported-project.ts'
import { configOf } from './flag.ts'
import { gatesOf, type Parents } from './gates.ts'
import { createGroups } from './groups.ts'
import type { EnvironmentPayload, FeatureMetadata } from './growthbook-export.ts'
import type { GrowthBookDefinition, GrowthBookRule } from './payload.ts'
import { readPayloads } from './payloads.ts'
import { unknownPropertiesIn } from './unknown-properties.ts'
import { type ValuesOfFeature, valuesOfFeature } from './values.ts'

/** Reads the SDK payload of a GrowthBook environment, or pages of its management API. */
export function readGrowthbook(values: readonly unknown[], options: ReadOptions): ReadExport {
  const read = readPayloads(values, options)
  if (!read.ok) return read
  const ids = [...new Set(read.payloads.flatMap(({ features }) => [...features.keys()]))]
  const keys = createKeyList(ids)
  const valuesById = new Map(ids.map((id) => [id, valuesOfFeature(valuesIn(read.payloads, id))]))
  const translated = read.payloads.map((payload) => translatePayload(payload, valuesById, (id) => keys.keyOf(id)))
  const flags = ids.flatMap((id) =>
    flagOf({ id, key: keys.keyOf(id), values: valuesById.get(id), metadata: read.metadata.get(id) }, translated),
  )
  const losses = [
    ...ids.flatMap((id) => renameLosses({ flag: keys.keyOf(id) }, id, keys.keyOf(id))),
    ...ids.flatMap((id) => (valuesById.get(id) ? [] : [severalTypesLoss(id)])),
    ...read.losses,
    ...[...read.metadata].flatMap(([id, metadata]) =>
      metadata.losses.map((loss) => ({ ...loss, flag: keys.keyOf(id) })),
    ),
    ...translated.flatMap((item) => item.losses),
    ...read.payloads.flatMap((payload) => unknownPropertiesIn(payload, (id) => keys.keyOf(id))),
  ]
  const environments = read.payloads.map(({ environmentKey: key }) => ({ key, name: key }))
  const segments = translated.flatMap((item) => item.segments)
  const configs = flags.flatMap((flag) => Object.values(flag.configs))
  const rules = [...segments.flatMap((item) => item.rules), ...configs.flatMap((item) => item.rules)]
  const examples = examplesOf(rules, () => false)
  return { ok: true, importedProject: { environments, contextKinds: [], segments, flags, losses, advice, examples } }
}

const advice = [
  'The attribute id is the key of a context of the kind user; all other attributes are attributes of it.',
  'A number is compared only with an attribute that is a number, and a version with one that has three numbers.',
  'A flag that is off, or whose prerequisite is not met, returns the default of the caller.',
]

interface PayloadTranslation {
  readonly environmentKey: string
  readonly configs: ReadonlyMap<string, ImportedConfig>
  readonly segments: readonly ImportedSegment[]
  readonly losses: readonly Loss[]
}

function translatePayload(
  payload: EnvironmentPayload,
  valuesById: ReadonlyMap<string, ValuesOfFeature | undefined>,
  keyOf: (id: string) => string,
): PayloadTranslation {
  const { environmentKey, features, savedGroups } = payload
  const pool = createSegmentPool(environmentKey)
  const groups = createGroups(savedGroups, environmentKey, pool)
  const parents: Parents = { payload, keyOf, valuesOf: (id) => valuesById.get(id) }
  const configs = new Map<string, ImportedConfig>()
  const losses: Loss[] = []
  for (const [id, { definition, on, path: index, omittedRules }] of features) {
    const values = valuesById.get(id)
    if (!values) continue
    const gates = gatesOf(id, definition, parents)
    const translated = configOf({ id, definition, on, values, gates, pool, inGroup: groups.test })
    configs.set(id, translated.config)
    if (omittedRules)
      losses.push({ flag: keyOf(id), environment: environmentKey, at: index, ...omittedRulesLoss(omittedRules) })
    losses.push(
      ...translated.losses.map((loss) => ({ ...loss, flag: keyOf(id), environment: environmentKey, at: index })),
    )
  }
  return { environmentKey, configs, losses, segments: [...groups.segments(), ...pool.segments()] }
}

/** Returns all values that a feature can have anywhere, the default first. */
function valuesIn(
  payloads: readonly EnvironmentPayload[],
  id: string,
): { readonly value: unknown; readonly name?: string }[] {
  const definitions = payloads.flatMap(({ features }): GrowthBookDefinition[] => {
    const feature = features.get(id)
    return feature ? [feature.definition] : []
  })
  return [
    ...definitions.map(({ defaultValue }) => ({ value: defaultValue })),
    ...definitions.flatMap(({ rules }) => (rules ?? []).flatMap(servedValues)),
  ]
}

function servedValues(rule: GrowthBookRule): { readonly value: unknown; readonly name?: string }[] {
  if ('force' in rule) return [{ value: rule.force }]
  return (rule.variations ?? []).map((value, index) => {
    const name = rule.meta?.[index]?.name ?? rule.meta?.[index]?.key
    return { value, ...(name ? { name } : {}) }
  })
}

/** A feature as the export describes it. */
interface ReadFeature {
  readonly id: string
  readonly key: string
  readonly values: ValuesOfFeature | undefined
  readonly metadata: FeatureMetadata | undefined
}

function flagOf({ id, key, values, metadata }: ReadFeature, translated: readonly PayloadTranslation[]): ImportedFlag[] {
  if (!values) return []
  const configs = translated.flatMap(({ environmentKey, configs }): [string, ImportedConfig][] => {
    const config = configs.get(id)
    return config ? [[environmentKey, config]] : []
  })
  return [
    {
      key,
      from: id,
      name: nameOf(id),
      ...(metadata?.description ? { description: metadata.description } : {}),
      tags: tagsOf(metadata?.tags ?? []),
      temporary: true,
      variations: values.variations,
      archived: metadata?.archived ?? false,
      deprecated: false,
      configs: Object.fromEntries(configs),
    },
  ]
}

function severalTypesLoss(id: string): Loss {
  const what = `the feature ${id}, whose values are of several types`
  return {
    what,
    why: 'all variations of a flag must have one type',
    instead: 'the feature is omitted',
    affects: 'values',
  }
}

function omittedRulesLoss(count: number): Omit<Loss, 'flag'> {
  const what = count === 1 ? 'a rule of an environment that is off' : `${count} rules of an environment that is off`
  const why = 'the export contains what SDKs evaluate, and these rules are not part of it'
  return { what, why, instead: 'write them in Halyard, or turn the feature on before the export', affects: 'nothing' }
}
