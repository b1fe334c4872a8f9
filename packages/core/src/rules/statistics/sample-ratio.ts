import { deviance, stirlingError, upperGamma } from './gamma.ts'

/** Units of each variation in one period, and the shares that they should have. */
export interface SampleRatio {
  /** Number of units that got each variation. */
  readonly counts: readonly number[]
  /** Share of units that each variation should get, in the same order; they need not add up to 1. */
  readonly weights: readonly number[]
}

/** Result of a test of the ratio of units. */
export interface SampleRatioResult {
  /** Probability of counts at least as far from the expected ones, if the division works as configured. */
  readonly pValue: number
  /** True if the p value is below the level: units are lost or assigned wrongly, and results are not to be trusted. */
  readonly mismatch: boolean
}

/** Default level of tests of the sample ratio: strict, because these tests run for every result. */
export const sampleRatioLevel = 0.001

/**
 * Tests once whether units were divided as configured, by Pearson's chi-squared test (Fabijan et al. 2019, "Diagnosing
 * sample ratio mismatch in online controlled experiments").
 *
 * @param periods counts and weights; several where the weights changed, such as the stages of a release.
 * @param level p value below which the result is a mismatch.
 * @throws RangeError for counts or weights that are negative or of different number.
 */
export function sampleRatioTest(
  periods: SampleRatio | readonly SampleRatio[],
  level: number = sampleRatioLevel,
): SampleRatioResult {
  let statistic = 0
  let freedom = 0
  for (const { counts, shares, units } of divisionsOf(periods)) {
    freedom += counts.length - 1
    for (const [i, count] of counts.entries()) {
      const expected = shares[i]! * units
      statistic += (count - expected) ** 2 / expected
    }
  }
  return resultOf(freedom > 0 ? chiSquaredProbability(statistic, freedom) : 1, level)
}

/**
 * Tests whether units were divided as configured. It can be called any number of times: in the whole course of an
 * experiment without mismatch, the p value falls below the level with at most the probability `level`. The p value is
 * the inverse of the Bayes factor of a Dirichlet-multinomial mixture with uniform prior (Lindon and Malek 2022,
 * "Anytime-valid inference for multinomial count data", section 3): the probability of the counts, times the number of
 * possible counts.
 *
 * @param periods counts and weights; several where the weights changed. The result is then for their product.
 * @param level p value below which the result is a mismatch.
 * @throws RangeError for counts or weights that are negative or of different number.
 */
export function sequentialSampleRatioTest(
  periods: SampleRatio | readonly SampleRatio[],
  level: number = sampleRatioLevel,
): SampleRatioResult {
  let logPValue = 0
  for (const { counts, shares, units } of divisionsOf(periods)) {
    logPValue += logMultinomial(counts, shares, units)
    for (let j = 1; j < counts.length; j++) logPValue += Math.log((units + j) / j)
  }
  return resultOf(Math.min(1, Math.exp(logPValue)), level)
}

/** Returns the logarithm of a probability of the multinomial distribution, without cancellation (Loader 2000). */
function logMultinomial(counts: readonly number[], shares: readonly number[], units: number): number {
  let sum = stirlingError(units) + Math.log(2 * Math.PI * units) / 2
  for (const [i, count] of counts.entries()) {
    sum -= deviance(count, shares[i]! * units)
    if (count > 0) sum -= stirlingError(count) + Math.log(2 * Math.PI * count) / 2
  }
  return sum
}

function chiSquaredProbability(statistic: number, freedom: number): number {
  return statistic === Number.POSITIVE_INFINITY ? 0 : upperGamma(freedom / 2, statistic / 2)
}

function resultOf(pValue: number, level: number): SampleRatioResult {
  return { pValue, mismatch: pValue < level }
}

/** Returns the periods that have units. Variations with weight 0 and without units are left out. */
function divisionsOf(periods: SampleRatio | readonly SampleRatio[]) {
  const list: readonly SampleRatio[] = 'counts' in periods ? [periods] : periods
  return list.map(checkedDivision).filter(({ units }) => units > 0)
}

function checkedDivision({ counts, weights }: SampleRatio) {
  if (counts.length !== weights.length)
    throw new RangeError(`\`weights\` must have as many items as \`counts\`, ${counts.length}: ${weights.length}`)
  for (const [name, values] of Object.entries({ counts, weights }))
    for (const [i, value] of values.entries())
      if (!(value >= 0 && Number.isFinite(value)))
        throw new RangeError(`\`${name}[${i}]\` must be at least 0: ${value}`)
  const totalWeight = weights.reduce((sum, weight) => sum + weight, 0)
  if (totalWeight === 0) throw new RangeError('`weights` must contain a value above 0')
  const present = [...counts.keys()].filter((i) => weights[i]! > 0 || counts[i]! > 0)
  return {
    counts: present.map((i) => counts[i]!),
    shares: present.map((i) => weights[i]! / totalWeight),
    units: counts.reduce((sum, count) => sum + count, 0),
  }
}
