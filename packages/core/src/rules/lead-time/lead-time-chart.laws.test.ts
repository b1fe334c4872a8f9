import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Change, samplesOf } from './change.fixture.ts'
import { type LeadTimeQuery, leadTimeChart, stages } from './index.ts'
import { anyAxis, anyTime, referenceStarts } from './test/plain-buckets.ts'

const hour = 3_600_000
const day = 24 * hour

/** Computes the chart by filtering and sorting objects, with the calendar of `Date` for hours and days. */
function referenceChart(changes: readonly Change[], query: LeadTimeQuery) {
  const inRange = changes.filter(
    ({ application, deployedAt }) =>
      deployedAt >= query.from && deployedAt < query.to && (query.applications?.includes(application) ?? true),
  )
  const starts = referenceStarts(query)
  const keys = query.applications ?? inRange.map(({ application }) => application)
  const names = query.groupBy === 'stage' ? stages : [...new Set(keys)].sort()
  const series = names.map((name) => {
    const measured = inRange.flatMap((change) => {
      if (query.groupBy === 'application' && change.application !== name) return []
      const duration = referenceDurations(change)[query.groupBy === 'stage' ? name : 'total'] ?? -1
      return duration >= 0 ? [{ at: change.deployedAt, duration }] : []
    })
    const points = starts.map((x, i) => {
      const inBucket = measured.filter(({ at }) => at >= x && at < (starts[i + 1] ?? Infinity))
      return { x, figures: referenceStats(inBucket.map(({ duration }) => duration)) }
    })
    return { name, count: measured.length, points }
  })
  return series
}

function referenceDurations({
  startedAt,
  openedAt,
  mergedAt,
  deployStartedAt,
  deployedAt,
}: Change): Record<string, number | null> {
  const between = (start: number | null, end: number | null) => (start === null || end === null ? null : end - start)
  return {
    coding: between(startedAt, openedAt ?? mergedAt),
    review: between(openedAt, mergedAt),
    wait: between(mergedAt, deployStartedAt ?? deployedAt),
    deploy: between(deployStartedAt, deployedAt),
    total: between(startedAt, deployedAt),
  }
}

function referenceStats(durations: number[]): number[] {
  const sorted = durations.toSorted((a, b) => a - b)
  if (sorted.length === 0) return [0, 0, 0, 0, 0, 0, 0]
  const mean = Number(sorted.reduce((sum, duration) => sum + BigInt(duration), 0n)) / sorted.length
  const percentiles = [0.5, 0.75, 0.9, 0.95, 0.99].map((fraction) => {
    const position = (sorted.length - 1) * fraction
    const below = sorted[Math.floor(position)]!
    return below + (position - Math.floor(position)) * (sorted[Math.ceil(position)]! - below)
  })
  return [sorted.length, mean, ...percentiles]
}

/**
 * Random times shortly before and after each other, around the end of February of a leap year, some of them missing.
 */
const changes = (size: { minLength?: number; maxLength: number }) => {
  const before = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: -hour, max: 9 * day }) },
    { weight: 1, arbitrary: fc.constant(null) },
  )
  return fc
    .array(
      fc.record({
        application: fc.constantFrom('web', 'api', 'ios'),
        deployedAt: anyTime,
        gaps: fc.tuple(before, before, before, before),
      }),
      { ...size, size: 'max' },
    )
    .map((rows) =>
      rows.map(({ application, deployedAt, gaps }): Change => {
        const [startedAt, openedAt, mergedAt, deployStartedAt] = gaps.map((gap) =>
          gap === null ? null : deployedAt - gap,
        )
        return {
          application,
          startedAt: startedAt!,
          openedAt: openedAt!,
          mergedAt: mergedAt!,
          deployStartedAt: deployStartedAt!,
          deployedAt,
        }
      }),
    )
}

const queries = fc.record({
  ...anyAxis,
  groupBy: fc.constantFrom('application', 'stage'),
  percentiles: fc.constant(true),
  applications: fc.option(fc.subarray(['web', 'api', 'none']), { nil: undefined }),
})

describe('leadTimeChart', () => {
  const expectSameChart = (list: readonly Change[], query: LeadTimeQuery) => {
    const { series } = leadTimeChart(samplesOf(list), query)
    const expected = referenceChart(list, query)
    expect(series.map(({ name, count }) => [name, count])).toEqual(expected.map(({ name, count }) => [name, count]))
    for (const [i, { points }] of series.entries()) {
      const expectedPoints = expected[i]!.points
      expect(points.map(({ x }) => x)).toEqual(expectedPoints.map(({ x }) => x))
      for (const [j, { y, values }] of points.entries()) {
        const { count, p50, p75, p90, p95, p99 } = values
        const actual = [count, y, p50, p75, p90, p95, p99]
        const deviations = expectedPoints[j]!.figures.map((figure, k) => Math.abs(figure - actual[k]!))
        expect(Math.max(...deviations)).toBeLessThan(0.001)
      }
    }
  }

  it('agrees with a direct computation on few samples', () => {
    fc.assert(fc.property(changes({ maxLength: 40 }), queries, expectSameChart), { numRuns: 300 })
  })

  it('agrees with a direct computation on many samples', () => {
    fc.assert(fc.property(changes({ minLength: 3_000, maxLength: 3_000 }), queries, expectSameChart), {
      numRuns: 5,
      endOnFailure: true,
    })
  })
})
