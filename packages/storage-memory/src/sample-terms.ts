import type { Sample } from '@halyard/core/storage'

/**
 * The positions of samples by term: indices into the whole series, ascending. The index is built by the first query for
 * terms.
 */
export interface SampleTerms {
  /**
   * Returns at most `limit` samples of `[start, end)` that have a term of each list, the newest first. The cost is
   * proportional to the number of samples in the range that have a term of the rarest list.
   *
   * @param samples the whole series in order. The index adds the samples that it does not contain yet.
   */
  find(samples: readonly Sample[], lists: readonly (readonly string[])[], range: TermRange): Sample[]
  /** Invalidates everything from an index on, because samples there have changed their position. */
  invalidateFrom(from: number): void
}

export interface TermRange {
  readonly start: number
  readonly end: number
  readonly limit: number
}

/** Makes an empty index. */
export function createSampleTerms(): SampleTerms {
  const positions = new Map<string, number[]>()
  let indexed = 0

  function indexNewSamples(samples: readonly Sample[]): void {
    for (; indexed < samples.length; indexed++) {
      for (const term of samples[indexed]!.terms ?? []) {
        const existing = positions.get(term)
        if (existing) existing.push(indexed)
        else positions.set(term, [indexed])
      }
    }
  }

  return {
    find(samples, lists, { start, end, limit }) {
      indexNewSamples(samples)
      const ranges = lists.map((terms) => rangesOf(positions, terms, start, end))
      const [rarest, ...others] = [...ranges.keys()].sort((a, b) => sizeOf(ranges[a]!) - sizeOf(ranges[b]!))
      if (rarest === undefined) return []
      const otherTerms = others.map((i) => new Set(lists[i]))
      const matches: Sample[] = []
      for (const position of descending(ranges[rarest]!)) {
        if (matches.length >= limit) break
        const sample = samples[position]!
        if (otherTerms.every((terms) => sample.terms?.some((term) => terms.has(term)))) matches.push(sample)
      }
      return matches
    },
    invalidateFrom(from) {
      if (from >= indexed) return
      positions.clear()
      indexed = 0
    },
  }
}

/** A part of a list of positions. */
interface Range {
  readonly positions: readonly number[]
  readonly start: number
  end: number
}

function rangesOf(
  positions: ReadonlyMap<string, readonly number[]>,
  terms: readonly string[],
  start: number,
  end: number,
): Range[] {
  const lists = [...new Set(terms)].map((term) => positions.get(term) ?? [])
  return lists.map((list) => ({ positions: list, start: firstNotBefore(list, start), end: firstNotBefore(list, end) }))
}

function sizeOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0)
}

/** Yields the positions of all ranges, the highest first, each once. Consumes the ranges. */
function* descending(ranges: readonly Range[]): Generator<number> {
  for (;;) {
    let highest = -1
    for (const { positions, start, end } of ranges) if (end > start) highest = Math.max(highest, positions[end - 1]!)
    if (highest < 0) return
    for (const one of ranges) if (one.end > one.start && one.positions[one.end - 1] === highest) one.end--
    yield highest
  }
}

function firstNotBefore(positions: readonly number[], position: number): number {
  let low = 0
  let high = positions.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (positions[middle]! < position) low = middle + 1
    else high = middle
  }
  return low
}
