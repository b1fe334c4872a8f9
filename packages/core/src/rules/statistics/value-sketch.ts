/**
 * Distribution of the values of units, of which percentiles are computed. Plain JSON, as it can be stored. Sketches of
 * parts add up to the sketch of the whole (Masson, Rim and Lee 2019, "DDSketch").
 */
export interface ValueSketch {
  /** Number of units. */
  readonly units: number
  /** Pairs of bin and number of units in it, by ascending bin. Bins ascend with the values in them. */
  readonly bins: readonly (readonly [bin: number, count: number])[]
}

/** Ratio of the largest to the smallest value in a bin: no value differs from another one in its bin by 1 percent. */
const growth = 1.01
const logGrowth = Math.log(growth)

/** Smallest size of a value that is distinguished from 0. */
const smallest = 1e-9
const firstExponent = Math.ceil(Math.log(smallest) / logGrowth)

/** The sketch of no unit. */
export const emptySketch: ValueSketch = { units: 0, bins: [] }

/**
 * Returns the sketch of values.
 *
 * @param values one value for each unit; any finite number.
 * @throws RangeError for a value that is not finite.
 */
export function sketchOf(values: Iterable<number>): ValueSketch {
  const counts = new Map<number, number>()
  for (const value of values) countIn(counts, binOf(value), 1)
  return fromCounts(counts)
}

/** Adds the sketches of two disjoint sets of units. */
export function addSketches(first: ValueSketch, second: ValueSketch): ValueSketch {
  const counts = new Map(first.bins)
  for (const [bin, count] of second.bins) countIn(counts, bin, count)
  return fromCounts(counts)
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
  const counts = new Map(sketch.bins)
  if (before !== undefined) countIn(counts, binOf(before), -1)
  if (after !== undefined) countIn(counts, binOf(after), 1)
  return fromCounts(counts)
}

/**
 * Returns the value at a position among the ascending values, within 1 percent. Inside a bin it assumes evenly spaced
 * values, so that it changes continuously with the position.
 *
 * @param sketch a sketch of at least one unit.
 * @param position number of units that are below the value, 0 to `sketch.units`.
 */
export function valueAt({ bins }: ValueSketch, position: number): number {
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

/** Returns the bin of a value: 0 for the value 0, and above it one bin for each power of `growth`. */
function binOf(value: number): number {
  if (!Number.isFinite(value)) throw new RangeError(`\`value\` must be a finite number: ${value}`)
  const size = Math.abs(value)
  if (size < smallest) return 0
  return Math.sign(value) * (Math.max(0, Math.ceil(Math.log(size) / logGrowth) - firstExponent) + 1)
}

function boundsOf(bin: number): readonly [number, number] {
  if (bin === 0) return [0, 0]
  const upper = growth ** (Math.abs(bin) - 1 + firstExponent)
  return bin > 0 ? [upper / growth, upper] : [-upper, -upper / growth]
}

function countIn(counts: Map<number, number>, bin: number, count: number): void {
  counts.set(bin, (counts.get(bin) ?? 0) + count)
}

function fromCounts(counts: ReadonlyMap<number, number>): ValueSketch {
  const bins = [...counts].filter(([, count]) => count !== 0).sort(([a], [b]) => a - b)
  return { units: bins.reduce((sum, [, count]) => sum + count, 0), bins }
}
