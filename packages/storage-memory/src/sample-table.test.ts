import type { Sample } from '@halyard/core/storage'
import { expect, it } from 'vitest'
import { appendSamples, scanSamples, seriesKind } from './samples.ts'

const everything = { series: { scope: 'proj/web', name: 's' }, from: 0, to: 1_000, columns: 1 }

const sample = (at: number): Sample => ({
  id: `s${at}`,
  at,
  label: at % 2 === 0 ? 'even' : 'odd',
  values: [at],
  body: null,
})

it('a sample table does not change the columns that a reader received, when older samples are appended later', () => {
  const series = seriesKind.create()
  appendSamples(series, [10, 20, 30, 40].map(sample))
  const earlierScans = [everything, { ...everything, from: 20, to: 31 }, { ...everything, labels: ['even'] }].map(
    (query) => scanSamples(series, query),
  )
  const before = structuredClone(earlierScans)
  appendSamples(series, [15, 5, 35].map(sample))
  const after = scanSamples(series, everything)
  expect([...after.at]).toEqual([5, 10, 15, 20, 30, 35, 40])
  expect([...after.values[0]!]).toEqual([5, 10, 15, 20, 30, 35, 40])
  expect([...after.label].map((label) => after.labels[label])).toEqual([
    'odd',
    'even',
    'odd',
    'even',
    'even',
    'odd',
    'even',
  ])
  appendSamples(series, [25].map(sample))
  expect(scanSamples(series, everything).at).toHaveLength(8)
  expect(earlierScans).toEqual(before)
  expect([...after.at]).toEqual([5, 10, 15, 20, 30, 35, 40])
})
