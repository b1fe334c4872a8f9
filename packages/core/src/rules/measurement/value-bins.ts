/**
 * Counts of values in bins of equal relative width, from which percentiles within 1 percent are computed. Bins of parts
 * add up, and a value can be removed again. Plain JSON, as it is stored.
 *
 * The keys are the numbers of bins: bin 0 contains the values nearer to zero than 1e-9; bin `i` contains magnitudes up
 * to 1e-9 times growth^i; the bins of negative values have negative numbers.
 */
export type ValueBins = Readonly<Record<string, number>>

/** Maximum relative error of a value that is read from a bin: 1 percent. */
export const binError = 0.01

const growth = (1 + binError * 0.999) / (1 - binError * 0.999)
const logGrowth = Math.log(growth)
const smallest = 1e-9

/** Number of the last bin; it contains all magnitudes above 1e15. There are at most twice as many bins. */
const lastBin = Math.ceil(Math.log(1e15 / smallest) / logGrowth)

/** Returns the number of the bin of a finite value. */
export function binOf(value: number): number {
  const magnitude = Math.abs(value)
  if (magnitude < smallest) return 0
  const bin = Math.min(Math.max(1, Math.ceil(Math.log(magnitude / smallest) / logGrowth)), lastBin)
  return value < 0 ? -bin : bin
}

/** Returns the value that represents a bin: no value up to 1e15 in the bin differs from it by more than {@link binError}. */
export function valueOfBin(bin: number): number {
  if (bin === 0) return 0
  return (Math.sign(bin) * 2 * smallest * growth ** Math.abs(bin)) / (growth + 1)
}

/** Returns the bins with their counts, in ascending order of their values. */
export function sortedBins(bins: ValueBins): { readonly value: number; readonly count: number }[] {
  return Object.entries(bins)
    .map(([bin, count]) => ({ bin: Number(bin), count }))
    .sort((a, b) => a.bin - b.bin)
    .map(({ bin, count }) => ({ value: valueOfBin(bin), count }))
}
