import {
  compareCodePoints,
  type NewestQuery,
  type Sample,
  type SampleColumns,
  type ScanQuery,
} from '@halyard/core/storage'
import { createSampleTable, type SampleTable } from './sample-table.ts'
import { createSampleTerms, type SampleTerms } from './sample-terms.ts'
import type { LeafKind } from './scoped-store.ts'

/** One series of samples, ordered by time, then id. */
export interface Series {
  readonly ids: Set<string>
  /** The samples in order, without those in `late`. */
  readonly samples: Sample[]
  /** Samples that were appended after younger ones. The next read merges them. */
  late: Sample[]
  readonly table: SampleTable
  readonly terms: SampleTerms
}

export const seriesKind: LeafKind<Series> = {
  create: () => ({ ids: new Set(), samples: [], late: [], table: createSampleTable(), terms: createSampleTerms() }),
  copy: ({ ids, samples, late }) => ({
    ids: new Set(ids),
    samples: [...samples],
    late: [...late],
    table: createSampleTable(),
    terms: createSampleTerms(),
  }),
  size: ({ ids }) => ids.size,
}

/** Appends the samples whose id the series does not contain, and returns the number of samples added. */
export function appendSamples(series: Series, appended: readonly Sample[]): number {
  const before = series.ids.size
  for (const sample of appended) {
    // Comparing the size before and after `add` takes one look-up; `has` and `add` would take two. Most ids are long
    // and new.
    const sizeBefore = series.ids.size
    if (series.ids.add(sample.id).size === sizeBefore) continue
    const last = series.samples.at(-1)
    if (last && compareSamples(sample, last) < 0) series.late.push(sample)
    else series.samples.push(sample)
  }
  return series.ids.size - before
}

/** Removes the samples that are older than a time, and returns the number of samples removed. */
export function trimSamples(series: Series, before: number): number {
  const { samples, ids, table, terms } = mergeLateSamples(series)
  const removed = samples.splice(0, lowerBound(samples, { at: before, id: '' }))
  for (const { id } of removed) ids.delete(id)
  if (removed.length > 0) {
    table.invalidateFrom(0)
    terms.invalidateFrom(0)
  }
  return removed.length
}

/**
 * Deletes the samples with these ids, moving the samples that are younger than the oldest of them. Returns the number
 * of deleted samples.
 */
export function deleteSamples(series: Series, ids: readonly string[]): number {
  const deletedIds = new Set(ids.filter((id) => series.ids.delete(id)))
  if (deletedIds.size === 0) return 0
  const { samples, table, terms } = mergeLateSamples(series)
  const first = samples.findIndex(({ id }) => deletedIds.has(id))
  const remaining = samples.splice(first).filter(({ id }) => !deletedIds.has(id))
  for (const sample of remaining) samples.push(sample)
  table.invalidateFrom(first)
  terms.invalidateFrom(first)
  return deletedIds.size
}

/** Returns samples of `[from, to)` as columns, ordered by time, then id. */
export function scanSamples(series: Series, query: ScanQuery): SampleColumns {
  const { samples, table } = mergeLateSamples(series)
  const start = lowerBound(samples, { at: query.from, id: '' })
  const end = Math.max(start, lowerBound(samples, { at: query.to, id: '' }))
  return table.read(samples, start, end, query)
}

/** Returns at most `limit` samples next to the cursor, the newest first. */
export function newestSamples(series: Series, { before, since, from, labels, terms, limit }: NewestQuery): Sample[] {
  const { samples } = mergeLateSamples(series)
  const start = from === undefined ? 0 : lowerBound(samples, { at: from, id: '' })
  const end = before ? lowerBound(samples, before) : samples.length
  if (terms && terms.length > 0) return series.terms.find(samples, terms, { start, end, limit })
  const requestedLabels = labels && new Set(labels)
  const matches: Sample[] = []
  if (since) {
    for (let i = Math.max(start, lowerBound(samples, since)); i < end && matches.length < limit; i++) {
      const sample = samples[i]!
      if (compareSamples(sample, since) > 0 && (!requestedLabels || requestedLabels.has(sample.label)))
        matches.push(sample)
    }
    return matches.reverse()
  }
  let i = end
  while (--i >= start && matches.length < limit) {
    const sample = samples[i]!
    if (!requestedLabels || requestedLabels.has(sample.label)) matches.push(sample)
  }
  return matches
}

/** Returns all samples of a series, ordered by time, then id. The array is valid until the series changes. */
export function orderedSamples(series: Series): readonly Sample[] {
  return mergeLateSamples(series).samples
}

/** Merges late samples into their positions. Only samples younger than the oldest of them move. */
function mergeLateSamples(series: Series): Series {
  if (series.late.length === 0) return series
  const late = series.late.sort(compareSamples)
  series.late = []
  const from = lowerBound(series.samples, late[0]!)
  const tail = series.samples.splice(from)
  for (const sample of tail.concat(late).sort(compareSamples)) series.samples.push(sample)
  series.table.invalidateFrom(from)
  series.terms.invalidateFrom(from)
  return series
}

type SamplePosition = Pick<Sample, 'at' | 'id'>

function compareSamples(a: SamplePosition, b: SamplePosition): number {
  return a.at - b.at || compareCodePoints(a.id, b.id)
}

function lowerBound(samples: readonly Sample[], position: SamplePosition): number {
  let low = 0
  let high = samples.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareSamples(samples[middle]!, position) < 0) low = middle + 1
    else high = middle
  }
  return low
}
