const binCount = 4_096

/** Number of values below which sorting is faster than counting into bins (measured on V8). */
const smallSize = 400

/** Index (0 or 1) of the upper half of a double, which contains the sign, the exponent and 20 bits of the fraction. */
const upperHalf = new Uint32Array(Float64Array.of(1).buffer)[1] === 0 ? 0 : 1

/**
 * Returns the values that sorting would put at the given ranks, without sorting.
 *
 * As integers, the upper halves of non-negative doubles have the same order as the doubles. So one pass counts the
 * values into bins by their upper half, and only the bins that contain a rank are processed further: together they
 * mostly contain a few hundredths of the values. If many values are in one bin, that bin is divided again.
 *
 * @param values none negative or NaN; not modified.
 * @param ranks ascending, each less than the number of values.
 * @returns one value per rank.
 */
export function valuesAtRanks(values: Float64Array, ranks: readonly number[]): number[] {
  const bins = values.length > smallSize ? binsOf(values) : undefined
  if (!bins) {
    const sorted = values.toSorted()
    return ranks.map((rank) => sorted[rank]!)
  }
  const selectedBins = selectBins(countBins(values, bins), ranks)
  distribute(values, bins, selectedBins)
  return selectedBins.flatMap(({ content, ranks }) => valuesAtRanks(content, ranks))
}

/** The bin of a value is its upper half minus `lowest`, shifted right by `shift` bits. */
interface Bins {
  readonly lowest: number
  readonly shift: number
}

/**
 * Returns bins that span the range from the smallest to the greatest value; undefined if all upper halves are equal.
 */
function binsOf(values: Float64Array): Bins | undefined {
  const halves = halvesOf(values)
  let lowest = halves[upperHalf]!
  let highest = lowest
  for (let i = upperHalf; i < halves.length; i += 2) {
    const half = halves[i]!
    if (half < lowest) lowest = half
    else if (half > highest) highest = half
  }
  if (lowest === highest) return undefined
  return { lowest, shift: Math.max(0, 32 - Math.clz32(highest - lowest) - Math.log2(binCount)) }
}

function countBins(values: Float64Array, { lowest, shift }: Bins): Uint32Array {
  const halves = halvesOf(values)
  const counts = new Uint32Array(binCount)
  for (let i = upperHalf; i < halves.length; i += 2) counts[(halves[i]! - lowest) >>> shift]!++
  return counts
}

/** A bin that contains ranks; `ranks` are relative to its first value. */
interface SelectedBin {
  readonly bin: number
  readonly content: Float64Array
  readonly ranks: number[]
}

function selectBins(counts: Uint32Array, ranks: readonly number[]): SelectedBin[] {
  const selectedBins: SelectedBin[] = []
  let bin = 0
  let countBefore = 0
  for (const rank of ranks) {
    while (rank >= countBefore + counts[bin]!) countBefore += counts[bin++]!
    if (selectedBins.at(-1)?.bin !== bin) selectedBins.push({ bin, content: new Float64Array(counts[bin]!), ranks: [] })
    selectedBins.at(-1)!.ranks.push(rank - countBefore)
  }
  return selectedBins
}

function distribute(values: Float64Array, { lowest, shift }: Bins, selectedBins: readonly SelectedBin[]): void {
  const halves = halvesOf(values)
  const slotOfBin = new Uint8Array(binCount)
  const sizes = new Uint32Array(selectedBins.length + 1)
  selectedBins.forEach(({ bin }, i) => {
    slotOfBin[bin] = i + 1
  })
  for (let i = 0; i < values.length; i++) {
    const slot = slotOfBin[(halves[2 * i + upperHalf]! - lowest) >>> shift]!
    if (slot !== 0) selectedBins[slot - 1]!.content[sizes[slot]!++] = values[i]!
  }
}

function halvesOf({ buffer, byteOffset, length }: Float64Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, 2 * length)
}
