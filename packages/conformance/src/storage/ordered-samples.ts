import type { AccountStorage, Sample, SeriesId } from '@halyard/core/storage'
import { sample } from './changes.ts'

/** The series that most cases use. */
export const series: SeriesId = { name: 'lead-times', scope: 'proj/p:env/e' }

/** Seven samples at three times, in the order of a scan. */
export const orderedSamples: readonly Sample[] = [
  sample('1', 10, { label: 'web', values: [1, null, 3], body: { n: 1 } }),
  sample('0', 20, { label: 'api', values: [2.5], body: 'text' }),
  sample('B', 20, { label: 'web', values: [0, -1, 1e12], body: [1, 2] }),
  sample('a', 20, { label: 'web', values: [] }),
  sample('\ufffd', 20, { label: 'cli', values: [null, 7] }),
  sample('\u{1f600}', 20, { label: 'api', values: [6, 7, 8] }),
  sample('2', 30, { label: '', values: [1, 2, 3, 4, 5, 6, 7, 8] }),
]

interface ScanResult {
  readonly at: readonly number[]
  readonly labels: readonly string[]
  readonly values: readonly (readonly number[])[]
}

/** Scans the series, and returns the label of each sample as text. */
export async function scan(
  account: AccountStorage,
  {
    from = 0,
    to = 100,
    columns = 0,
    labels,
  }: { from?: number; to?: number; columns?: number; labels?: readonly string[] },
): Promise<ScanResult> {
  const columnSet = await account.scan({ series, from, to, columns, labels })
  return {
    at: [...columnSet.at],
    labels: Array.from(columnSet.label, (number) => columnSet.labels[number]!),
    values: columnSet.values.map((column) => [...column]),
  }
}
