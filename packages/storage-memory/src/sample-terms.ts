import type { Sample } from '@halyard/core/storage'

/**
 * The positions of samples by term: indices into the whole series, ascending. The index is built by the first query for
 * terms.
 */
export interface SampleTerms {
  /**
   * Returns at most `limit` samples of `[start, end)` that have a term of each list, the newest first. The cost is the
   * number of samples that the rarest list has there.
   *
   * @param samples the whole series in order. The index adds the samples that it does not contain yet.
   */
  find(samples: readonly Sample[], lists: readonly (readonly string[])[], range: TermRange): Sample[]
  /** Invalidates everything from an index on, because samples there have changed their position. */
  forget(from: number): void
}

export interface TermRange {
  readonly start: number
  readonly end: number
  readonly limit: number
}

/** Makes an empty index. */
export function createSampleTerms(): SampleTerms {
  const places = new Map<string, number[]>()
  let seen = 0

  function takeOver(samples: readonly Sample[]): void {
    for (; seen < samples.length; seen++) {
      for (const term of samples[seen]!.terms ?? []) {
        const known = places.get(term)
        if (known) known.push(seen)
        else places.set(term, [seen])
      }
    }
  }

  return {
    find(samples, lists, { start, end, limit }) {
      takeOver(samples)
      const stretches = lists.map((terms) => stretchesOf(places, terms, start, end))
      const [rarest, ...others] = [...stretches.keys()].sort((a, b) => sizeOf(stretches[a]!) - sizeOf(stretches[b]!))
      if (rarest === undefined) return []
      const wanted = others.map((i) => new Set(lists[i]))
      const found: Sample[] = []
      for (const place of descending(stretches[rarest]!)) {
        if (found.length >= limit) break
        const sample = samples[place]!
        if (wanted.every((terms) => sample.terms?.some((term) => terms.has(term)))) found.push(sample)
      }
      return found
    },
    forget(from) {
      if (from >= seen) return
      places.clear()
      seen = 0
    },
  }
}

/** A part of a list of positions. */
interface Stretch {
  readonly places: readonly number[]
  readonly start: number
  end: number
}

function stretchesOf(
  places: ReadonlyMap<string, readonly number[]>,
  terms: readonly string[],
  start: number,
  end: number,
): Stretch[] {
  const lists = [...new Set(terms)].map((term) => places.get(term) ?? [])
  return lists.map((list) => ({ places: list, start: firstNotBefore(list, start), end: firstNotBefore(list, end) }))
}

function sizeOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { start, end }) => sum + Math.max(0, end - start), 0)
}

/** Yields the positions of all ranges, the highest first, each once. Consumes the ranges. */
function* descending(stretches: readonly Stretch[]): Generator<number> {
  for (;;) {
    let last = -1
    for (const { places, start, end } of stretches) if (end > start) last = Math.max(last, places[end - 1]!)
    if (last < 0) return
    for (const one of stretches) if (one.end > one.start && one.places[one.end - 1] === last) one.end--
    yield last
  }
}

function firstNotBefore(places: readonly number[], place: number): number {
  let low = 0
  let high = places.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (places[middle]! < place) low = middle + 1
    else high = middle
  }
  return low
}
