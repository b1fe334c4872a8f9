const binCount = 4_096

/** Number of values below which sorting is faster than counting into bins (measured on V8). */
const smallSize = 400

/** Index (0 or 1) of the upper half of a double, which contains the sign, the exponent and 20 bits of the fraction. */
const upper = new Uint32Array(Float64Array.of(1).buffer)[1] === 0 ? 0 : 1

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
  const wanted = wantedBins(countBins(values, bins), ranks)
  distribute(values, bins, wanted)
  return wanted.flatMap(({ content, ranks }) => valuesAtRanks(content, ranks))
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
  let lowest = halves[upper]!
  let highest = lowest
  for (let i = upper; i < halves.length; i += 2) {
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
  for (let i = upper; i < halves.length; i += 2) counts[(halves[i]! - lowest) >>> shift]!++
  return counts
}

/** A bin that contains ranks; `ranks` are relative to its first value. */
interface WantedBin {
  readonly bin: number
  readonly content: Float64Array
  readonly ranks: number[]
}

function wantedBins(counts: Uint32Array, ranks: readonly number[]): WantedBin[] {
  const wanted: WantedBin[] = []
  let bin = 0
  let before = 0
  for (const rank of ranks) {
    while (rank >= before + counts[bin]!) before += counts[bin++]!
    if (wanted.at(-1)?.bin !== bin) wanted.push({ bin, content: new Float64Array(counts[bin]!), ranks: [] })
    wanted.at(-1)!.ranks.push(rank - before)
  }
  return wanted
}

function distribute(values: Float64Array, { lowest, shift }: Bins, wanted: readonly WantedBin[]): void {
  const halves = halvesOf(values)
  const place = new Uint8Array(binCount)
  const sizes = new Uint32Array(wanted.length + 1)
  wanted.forEach(({ bin }, i) => {
    place[bin] = i + 1
  })
  for (let i = 0; i < values.length; i++) {
    const at = place[(halves[2 * i + upper]! - lowest) >>> shift]!
    if (at !== 0) wanted[at - 1]!.content[sizes[at]!++] = values[i]!
  }
}

function halvesOf({ buffer, byteOffset, length }: Float64Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, 2 * length)
}
