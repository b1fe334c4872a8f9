/** Level and tuning of a sequential test. */
export interface SequentialOptions {
  /**
   * Probability that the interval misses the true difference at least once, however often it is read: 0 to 1, both
   * excluded.
   */
  readonly level: number
  /** Number of units, of both variations together, at which the interval is tuned to be narrow. */
  readonly tuningUnits: number
}

/** Units at which intervals are tuned to be narrow if the caller sets nothing. */
export const defaultTuningUnits = 5_000

/** Units that each variation must have before a sequential test decides, if the caller sets nothing. */
export const defaultMinimumUnits = 100

/**
 * Returns the half-width of an always-valid interval in standard errors. The interval around an estimate is an
 * asymptotic confidence sequence (Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas 2024, "Time-uniform central limit
 * theory and asymptotic confidence sequences", theorem 2.2): with probability 1 - level it contains the true value at
 * all times at which it is read, regardless of their number. It depends on a normal approximation, so a variation needs
 * {@link defaultMinimumUnits} units before it is used.
 *
 * @param units total number of units that would give the same precision if both variations had the same number of
 *   units.
 * @param options level and tuning.
 */
export function sequentialFactor(units: number, { level, tuningUnits }: SequentialOptions): number {
  const information = informationOf(units, level, tuningUnits)
  return Math.sqrt(2 * (1 + 1 / information) * (Math.log1p(information) / 2 - Math.log(level)))
}

/**
 * Returns the p value that belongs to {@link sequentialFactor}: the smallest level whose interval, tuned in the same
 * way, does not contain 0. It is the inverse of the mixture likelihood ratio of Johari, Koomen, Pekelis and Walsh 2022,
 * "Always valid inference: continuous monitoring of A/B tests".
 *
 * @param z estimated difference in standard errors.
 * @param units total number of units that would give the same precision if both variations had the same number of
 *   units.
 * @param options level and tuning.
 */
export function sequentialPValue(z: number, units: number, { level, tuningUnits }: SequentialOptions): number {
  const information = informationOf(units, level, tuningUnits)
  return Math.min(1, Math.exp(Math.log1p(information) / 2 - (z * z * information) / (2 * (1 + information))))
}

/**
 * Returns `t rho^2`, with the rho whose interval is nearly the narrowest at `tuningUnits` (equation 24 of the paper).
 */
function informationOf(units: number, level: number, tuningUnits: number): number {
  const twice = -2 * Math.log(level)
  return (units * (twice + Math.log(twice + 1))) / tuningUnits
}

/**
 * Returns the number of units that would give the same precision if they were divided evenly between the variations.
 * This number is proportional to the inverse of the variance of the difference, even while shares change. The time of a
 * sequential test must have this property.
 */
export function evenUnits(controlUnits: number, treatmentUnits: number): number {
  return 4 / (1 / controlUnits + 1 / treatmentUnits)
}
