import type { MetricEstimate } from './metric-estimate.ts'

/** Estimates of the two variations that are compared. */
export interface EstimatePair {
  readonly control: MetricEstimate
  readonly treatment: MetricEstimate
}

/**
 * Combines estimates of periods in which the variations had different shares of the units, such as the stages of a
 * release. Sums over all stages would mix the change of the metric over time into the difference of the variations
 * (Simpson's paradox). Each stage has the weight `nc nt / (nc + nt)` of Mantel and Haenszel for differences (Greenland
 * and Robins 1985, "Estimation of a common effect parameter from sparse follow-up data").
 *
 * @param strata estimates of each period. A unit belongs to the period in which it was first exposed.
 * @returns the weighted estimates; `units` is the number of units per variation that would give the same precision if
 *   both variations had the same number of units. Undefined without strata.
 */
export function stratifiedEstimates(strata: readonly EstimatePair[]): EstimatePair | undefined {
  const weights = strata.map(({ control, treatment }) => 1 / (1 / control.units + 1 / treatment.units))
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0)
  if (!(totalWeight > 0)) return undefined
  const combine = (side: keyof EstimatePair): MetricEstimate => {
    let value = 0
    let variance = 0
    for (const [i, stratum] of strata.entries()) {
      const share = weights[i]! / totalWeight
      value += share * stratum[side].value
      variance += (share * stratum[side].standardError) ** 2
    }
    return { units: 2 * totalWeight, value, standardError: Math.sqrt(variance) }
  }
  return { control: combine('control'), treatment: combine('treatment') }
}
