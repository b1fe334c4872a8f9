import { examplesOf } from '../conditions/is-there.ts'
import { createSegmentPool } from '../conditions/segment-pool.ts'
import type { ReadExport, ReadOptions } from '../flag-format.ts'
import { createKeyList, nameOf, renamed, tagsOf } from '../moved-names.ts'
import type { Loss, MovedConfig, MovedFlag, MovedSegment } from '../moved-project.ts'
import { configOf } from './flag.ts'
import { gatesOf, type Parents } from './gates.ts'
import { createGroups } from './groups.ts'
import type { FeatureCard, PlacedPayload } from './growthbook-export.ts'
import type { GrowthBookDefinition, GrowthBookRule } from './payload.ts'
import { readPayloads } from './payloads.ts'
import { strangersIn } from './strangers.ts'
import { type ValuesOfFeature, valuesOfFeature } from './values.ts'

/** Reads the SDK payload of a GrowthBook environment, or pages of its management API. */
export function readGrowthbook(values: readonly unknown[], options: ReadOptions): ReadExport {
  const read = readPayloads(values, options)
  if (!read.ok) return read
  const ids = [...new Set(read.payloads.flatMap(({ features }) => [...features.keys()]))]
  const keys = createKeyList(ids)
  const known = new Map(ids.map((id) => [id, valuesOfFeature(valuesIn(read.payloads, id))]))
  const told = read.payloads.map((payload) => tellPayload(payload, known, (id) => keys.keyOf(id)))
  const flags = ids.flatMap((id) => flagOf(id, keys.keyOf(id), known.get(id), read.cards.get(id), told))
  const losses = [
    ...ids.flatMap((id) => renamed({ flag: keys.keyOf(id) }, id, keys.keyOf(id))),
    ...ids.flatMap((id) => (known.get(id) ? [] : [severalTypes(id)])),
    ...read.losses,
    ...[...read.cards].flatMap(([id, card]) => card.losses.map((loss) => ({ ...loss, flag: keys.keyOf(id) }))),
    ...told.flatMap((one) => one.losses),
    ...read.payloads.flatMap((payload) => strangersIn(payload, (id) => keys.keyOf(id))),
  ]
  const environments = read.payloads.map(({ environmentKey: key }) => ({ key, name: key }))
  const segments = told.flatMap((one) => one.segments)
  const configs = flags.flatMap((flag) => Object.values(flag.configs))
  const rules = [...segments.flatMap((one) => one.rules), ...configs.flatMap((one) => one.rules)]
  const examples = examplesOf(rules, () => false)
  return { ok: true, moved: { environments, contextKinds: [], segments, flags, losses, advice, examples } }
}

const advice = [
  'The attribute id is the key of a context of the kind user; all other attributes are attributes of it.',
  'A number is compared only with an attribute that is a number, and a version with one that has three numbers.',
  'A flag that is off, or whose prerequisite is not met, returns the default of the caller.',
]

interface ToldPayload {
  readonly environmentKey: string
  readonly configs: ReadonlyMap<string, MovedConfig>
  readonly segments: readonly MovedSegment[]
  readonly losses: readonly Loss[]
}

function tellPayload(
  payload: PlacedPayload,
  known: ReadonlyMap<string, ValuesOfFeature | undefined>,
  keyOf: (id: string) => string,
): ToldPayload {
  const { environmentKey, features, savedGroups } = payload
  const pool = createSegmentPool(environmentKey)
  const groups = createGroups(savedGroups, environmentKey, pool)
  const parents: Parents = { payload, keyOf, valuesOf: (id) => known.get(id) }
  const configs = new Map<string, MovedConfig>()
  const losses: Loss[] = []
  for (const [id, { definition, on, at, untold }] of features) {
    const values = known.get(id)
    if (!values) continue
    const gates = gatesOf(id, definition, parents)
    const told = configOf({ id, definition, on, values, gates, pool, inGroup: groups.test })
    configs.set(id, told.config)
    if (untold) losses.push({ flag: keyOf(id), environment: environmentKey, at, ...unknownRules(untold) })
    losses.push(...told.losses.map((loss) => ({ ...loss, flag: keyOf(id), environment: environmentKey, at })))
  }
  return { environmentKey, configs, losses, segments: [...groups.made(), ...pool.made()] }
}

/** Returns all values that a feature can have anywhere, the default first. */
function valuesIn(
  payloads: readonly PlacedPayload[],
  id: string,
): { readonly value: unknown; readonly name?: string }[] {
  const definitions = payloads.flatMap(({ features }): GrowthBookDefinition[] => {
    const feature = features.get(id)
    return feature ? [feature.definition] : []
  })
  return [
    ...definitions.map(({ defaultValue }) => ({ value: defaultValue })),
    ...definitions.flatMap(({ rules }) => (rules ?? []).flatMap(servedBy)),
  ]
}

function servedBy(rule: GrowthBookRule): { readonly value: unknown; readonly name?: string }[] {
  if ('force' in rule) return [{ value: rule.force }]
  return (rule.variations ?? []).map((value, at) => {
    const name = rule.meta?.[at]?.name ?? rule.meta?.[at]?.key
    return { value, ...(name ? { name } : {}) }
  })
}

function flagOf(
  id: string,
  key: string,
  values: ValuesOfFeature | undefined,
  card: FeatureCard | undefined,
  told: readonly ToldPayload[],
): MovedFlag[] {
  if (!values) return []
  const configs = told.flatMap(({ environmentKey, configs }): [string, MovedConfig][] => {
    const config = configs.get(id)
    return config ? [[environmentKey, config]] : []
  })
  return [
    {
      key,
      from: id,
      name: nameOf(id),
      ...(card?.description ? { description: card.description } : {}),
      tags: tagsOf(card?.tags ?? []),
      temporary: true,
      variations: values.variations,
      archived: card?.archived ?? false,
      deprecated: false,
      configs: Object.fromEntries(configs),
    },
  ]
}

function severalTypes(id: string): Loss {
  const what = `the feature ${id}, whose values are of several types`
  return { what, why: 'all variations of a flag must have one type', instead: 'the feature is omitted', affects: 'values' }
}

function unknownRules(count: number): Omit<Loss, 'flag'> {
  const what = count === 1 ? 'a rule of an environment that is off' : `${count} rules of an environment that is off`
  const why = 'the export contains what SDKs evaluate, and these rules are not part of it'
  return { what, why, instead: 'write them here, or turn the feature on before the export', affects: 'nothing' }
}
