import type { ImportedServe, ImportedVariation, Loss } from '../imported-project.ts'
import { fullWeight, scaleWeights, serveOf } from '../shares.ts'
import type { FlagsmithState, FlagsmithValue } from './document.ts'

/**
 * The values of a feature as variations of a flag. A feature is on or off and also has a value; a flag has one value.
 *
 * A feature that has no value in any environment becomes a boolean flag: on is true. Every other feature has its values
 * as variations, and one more variation that is served when the feature is off: an empty text, 0 or false.
 */
export interface ValuesOfFeature {
  readonly variations: readonly ImportedVariation[]
  readonly offVariation: number
  /** Returns the index of the variation for a state. */
  indexOf(enabled: boolean, value: FlagsmithValue): number
  readonly losses: readonly Loss[]
}

/** Returns the values that a feature has in any state. */
export function valuesOfFeature(states: readonly FlagsmithState[]): ValuesOfFeature {
  const values = states.flatMap(valuesIn).filter(isValue)
  if (values.length === 0) return booleanFeature
  const types = new Set(values.map((value) => typeof value))
  const mixed = types.size > 1
  const convert = mixed ? String : (value: string | number | boolean) => value
  const offValue = mixed || types.has('string') ? '' : types.has('number') ? 0 : false
  const allValues = offValue === false ? [true, false] : [...new Set([...values.map(convert), offValue])]
  const indexOf = (enabled: boolean, value: FlagsmithValue) =>
    allValues.indexOf(enabled && isValue(value) ? convert(value) : offValue)
  const variations = allValues.map(
    (value): ImportedVariation => (value === offValue ? { value, name: 'off' } : { value }),
  )
  return { variations, offVariation: allValues.indexOf(offValue), indexOf, losses: lossesOf(states, mixed, offValue) }
}

const booleanFeature: ValuesOfFeature = {
  variations: [{ value: true }, { value: false }],
  offVariation: 1,
  indexOf: (enabled) => (enabled ? 0 : 1),
  losses: [],
}

function valuesIn({ feature_state_value, multivariate_feature_state_values }: FlagsmithState): FlagsmithValue[] {
  const variants = (multivariate_feature_state_values ?? []).map((variant) => variant.multivariate_feature_option.value)
  return [feature_state_value, ...variants]
}

function isValue(value: FlagsmithValue): value is string | number | boolean {
  return value !== null && value !== undefined && value !== ''
}

function lossesOf(states: readonly FlagsmithState[], mixed: boolean, offValue: unknown): Loss[] {
  const enabled = states.filter((state) => state.enabled).flatMap(valuesIn)
  const equalsOff = enabled.some((value) => !isValue(value) || value === offValue)
  const offLoss: Loss = {
    what: `on with the value ${JSON.stringify(offValue)} or none`,
    why: 'a flag has one value, and this value means off',
    instead: 'it equals off; to distinguish the two, use another value for one of them',
    affects: 'values',
  }
  const textLoss: Loss = {
    what: 'values of several types',
    why: 'all variations of a flag must have one type',
    instead: 'each value as text',
    affects: 'values',
  }
  return [...(mixed ? [textLoss] : []), ...(equalsOff ? [offLoss] : [])]
}

/**
 * Returns what a state serves: one variation or, with variants, a rollout. The percentage that no variant takes
 * receives the value of the state itself.
 *
 * @param enabled true when the state counts as on. Default: the property of the state.
 */
export function serveState(values: ValuesOfFeature, state: FlagsmithState, enabled = state.enabled): ImportedServe {
  const variants = enabled ? (state.multivariate_feature_state_values ?? []) : []
  let remaining = 100
  const weights = variants.map(({ percentage_allocation, multivariate_feature_option }) => {
    const weight = Math.min(remaining, percentage_allocation)
    remaining -= weight
    return { variation: values.indexOf(enabled, multivariate_feature_option.value), weight }
  })
  const remainder = { variation: values.indexOf(enabled, state.feature_state_value), weight: remaining }
  return serveOf(scaleWeights([...weights, remainder], fullWeight), 'user')
}
