import {
  compareCodePoints,
  type NewestQuery,
  type Sample,
  type SampleColumns,
  type ScanQuery,
} from '@halyard/core/storage'

/** Returns samples of `[from, to)` as columns, ordered by time, then id. */
export function scanSamples(samples: readonly Sample[], { from, to, labels, columns }: ScanQuery): SampleColumns {
  const selected = samples
    .filter(({ at, label }) => at >= from && at < to && (labels?.includes(label) ?? true))
    .sort(compareSamples)
  const labelIndexes = new Map<string, number>()
  for (const { label } of selected) if (!labelIndexes.has(label)) labelIndexes.set(label, labelIndexes.size)
  const column = (_: unknown, i: number) => Float64Array.from(selected, ({ values }) => values[i] ?? NaN)
  return {
    at: Float64Array.from(selected, ({ at }) => at),
    labels: [...labelIndexes.keys()],
    label: Uint32Array.from(selected, ({ label }) => labelIndexes.get(label) as number),
    values: Array.from({ length: columns }, column),
  }
}

/** Returns samples in descending order, starting next to the cursor. */
export function newestSamples(samples: readonly Sample[], query: NewestQuery): Sample[] {
  const { before, since, from = -Infinity, labels, terms = [], limit } = query
  return samples
    .filter((sample) => sample.at >= from && (labels?.includes(sample.label) ?? true))
    .filter((sample) => before === undefined || compareSamples(sample, before) < 0)
    .filter((sample) => since === undefined || compareSamples(sample, since) > 0)
    .filter((sample) => terms.every((list) => sample.terms?.some((term) => list.includes(term))))
    .sort((a, b) => compareSamples(b, a))
    .slice(...(since ? [-limit || Infinity] : [0, limit]))
}

/** Compares samples by time, then id. */
export function compareSamples(a: Pick<Sample, 'at' | 'id'>, b: Pick<Sample, 'at' | 'id'>): number {
  return a.at - b.at || compareCodePoints(a.id, b.id)
}
