/**
 * Distribution of the values of units, from which percentiles are computed: the number of units in each bin, by number
 * of the bin. Plain JSON, as it is stored. Sketches of parts add up to the sketch of the whole, and a value can be
 * removed again (Masson, Rim and Lee 2019, "DDSketch: a fast and fully-mergeable quantile sketch with relative-error
 * guarantees").
 *
 * Bin 0 contains the values nearer to zero than 1e-9. Bin `i` contains magnitudes up to 1e-9 times growth^i, and bin
 * `-i` the negative values of these magnitudes.
 */
export type ValueSketch = Readonly<Record<string, number>>

/**
 * Maximum relative error of a value that {@link valueAt} returns. Values whose magnitude is above 1e15 count as 1e15.
 */
export const sketchError = 0.0202

/** Ratio of the largest to the smallest value in a bin, which is the ratio of DDSketch for an accuracy of 1 percent. */
const growth = (1 + 0.01 * 0.999) / (1 - 0.01 * 0.999)
const logGrowth = Math.log(growth)

/** Smallest size of a value that is distinguished from 0. */
const smallest = 1e-9

/** Number of the last bin. There are at most twice as many bins. */
const lastBin = Math.ceil(Math.log(1e15 / smallest) / logGrowth)

/** The sketch of no unit. */
export const emptySketch: ValueSketch = {}

/**
 * Returns the sketch of values.
 *
 * @param values one value for each unit; any finite number.
 * @throws RangeError for a value that is not finite.
 */
export function sketchOf(values: Iterable<number>): ValueSketch {
  const sketch: Record<string, number> = {}
  for (const value of values) countValue(sketch, finite(value), 1)
  return sketch
}

/** Adds the sketches of two disjoint sets of units. */
export function addSketches(first: ValueSketch, second: ValueSketch): ValueSketch {
  const sketch = { ...first }
  for (const [bin, count] of Object.entries(second)) countInBin(sketch, bin, count)
  return sketch
}

/**
 * Returns the sketch after the value of one unit changed.
 *
 * @param sketch sketch that includes `before`.
 * @param before value so far; undefined for a new unit.
 * @param after value from now on; undefined for a unit that is left out.
 * @throws RangeError for a value that is not finite.
 */
export function replaceValue(sketch: ValueSketch, before: number | undefined, after: number | undefined): ValueSketch {
  const replaced = { ...sketch }
  if (before !== undefined) countValue(replaced, finite(before), -1)
  if (after !== undefined) countValue(replaced, finite(after), 1)
  return replaced
}

/** Adds the value of a unit to a sketch, or removes it, in place. */
export function countValue(sketch: Record<string, number>, value: number, sign: 1 | -1): void {
  countInBin(sketch, String(binOf(value)), sign)
}

/** The bins of a sketch in ascending order of their values. */
export type SortedBins = readonly (readonly [bin: number, count: number])[]

export function sortedBins(sketch: ValueSketch): SortedBins {
  return Object.entries(sketch)
    .map(([bin, count]): [number, number] => [Number(bin), count])
    .sort(([a], [b]) => a - b)
}

/**
 * Returns the value at a position among the ascending values, within {@link sketchError}. Inside a bin it assumes
 * evenly spaced values, so that it changes continuously with the position.
 *
 * @param bins bins of at least one unit.
 * @param position number of units that are below the value, 0 to the number of units.
 */
export function valueAt(bins: SortedBins, position: number): number {
  let below = 0
  for (const [bin, count] of bins) {
    if (position <= below + count) {
      const [lower, upper] = boundsOf(bin)
      return lower + (upper - lower) * Math.max(0, (position - below) / count)
    }
    below += count
  }
  return boundsOf(bins.at(-1)?.[0] ?? 0)[1]
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`\`value\` must be a finite number: ${value}`)
  return value
}

function binOf(value: number): number {
  const size = Math.abs(value)
  if (size < smallest) return 0
  return Math.sign(value) * Math.min(Math.max(1, Math.ceil(Math.log(size / smallest) / logGrowth)), lastBin)
}

function boundsOf(bin: number): readonly [number, number] {
  if (bin === 0) return [0, 0]
  const upper = smallest * growth ** Math.abs(bin)
  return bin > 0 ? [upper / growth, upper] : [-upper, -upper / growth]
}

function countInBin(sketch: Record<string, number>, bin: string, count: number): void {
  const sum = (sketch[bin] ?? 0) + count
  if (sum === 0) delete sketch[bin]
  else sketch[bin] = sum
}
