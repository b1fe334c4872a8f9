import type { Sample } from '@halyard/core/storage'

/** Where samples with a term are: indices into the whole series, ascending. Made when somebody asks for terms. */
export interface SampleTerms {
  /**
   * Samples of `[start, end)` that have a term of each list, the last first, at most `limit`. Costs what the rarest of
   * the lists has there.
   *
   * @param samples the whole series in order; what has not been seen yet is taken over.
   */
  find(samples: readonly Sample[], lists: readonly (readonly string[])[], range: TermRange): Sample[]
  /** Says that the samples from an index on have changed places. */
  forget(from: number): void
}

export interface TermRange {
  readonly start: number
  readonly end: number
  readonly limit: number
}

/** Makes an index that has seen nothing yet. */
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

/** A part of a list of places. */
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

/** The places of all stretches, the last first, each once. Uses the stretches up. */
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
