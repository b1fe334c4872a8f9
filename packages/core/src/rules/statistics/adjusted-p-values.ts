/**
 * Correction of the p values of several metrics: `holm` controls the probability of any false positive, and
 * `benjamini-hochberg` the expected proportion of false positives among the positives.
 */
export type PValueCorrection = 'holm' | 'benjamini-hochberg'

/**
 * Corrects p values for the number of comparisons. A corrected value is compared with the same level as an uncorrected
 * one (Holm 1979, "A simple sequentially rejective multiple test procedure"; Benjamini and Hochberg 1995, "Controlling
 * the false discovery rate").
 *
 * @param pValues p values, each 0 to 1.
 * @param correction the method.
 * @returns the corrected values, in the order of `pValues`.
 * @throws RangeError for a p value outside 0 to 1.
 */
export function adjustedPValues(pValues: readonly number[], correction: PValueCorrection): number[] {
  for (const [i, p] of pValues.entries())
    if (!(p >= 0 && p <= 1)) throw new RangeError(`\`pValues[${i}]\` must be between 0 and 1: ${p}`)
  const count = pValues.length
  const ascending = [...pValues.keys()].sort((i, j) => pValues[i]! - pValues[j]!)
  const adjusted = new Array<number>(count)
  if (correction === 'holm') {
    let largest = 0
    for (const [rank, i] of ascending.entries())
      adjusted[i] = largest = Math.max(largest, Math.min(1, (count - rank) * pValues[i]!))
  } else {
    let smallest = 1
    for (const [fromLast, i] of ascending.reverse().entries())
      adjusted[i] = smallest = Math.min(smallest, (count / (count - fromLast)) * pValues[i]!)
  }
  return adjusted
}
