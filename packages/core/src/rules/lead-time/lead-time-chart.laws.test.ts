import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Change, samplesOf } from './change.fixture.ts'
import { type LeadTimeQuestion, leadTimeChart, stages } from './index.ts'
import { anyAxis, anyMoment, plainStarts } from './test/plain-buckets.ts'

const hour = 3_600_000
const day = 24 * hour

/** Computes the chart by filtering and sorting objects, with the calendar of `Date` for hours and days. */
function naiveChart(changes: readonly Change[], asked: LeadTimeQuestion) {
  const inRange = changes.filter(
    ({ application, deployedAt }) =>
      deployedAt >= asked.from && deployedAt < asked.to && (asked.applications?.includes(application) ?? true),
  )
  const starts = plainStarts(asked)
  const keys = asked.applications ?? inRange.map(({ application }) => application)
  const names = asked.groupBy === 'stage' ? stages : [...new Set(keys)].sort()
  const series = names.map((name) => {
    const measured = inRange.flatMap((change) => {
      if (asked.groupBy === 'application' && change.application !== name) return []
      const duration = naiveDurations(change)[asked.groupBy === 'stage' ? name : 'total'] ?? -1
      return duration >= 0 ? [{ at: change.deployedAt, duration }] : []
    })
    const points = starts.map((x, i) => {
      const inside = measured.filter(({ at }) => at >= x && at < (starts[i + 1] ?? Infinity))
      return { x, figures: naiveFigures(inside.map(({ duration }) => duration)) }
    })
    return { name, count: measured.length, points }
  })
  return series
}

function naiveDurations({
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

function naiveFigures(durations: number[]): number[] {
  const sorted = durations.toSorted((a, b) => a - b)
  if (sorted.length === 0) return [0, 0, 0, 0, 0, 0, 0]
  const mean = Number(sorted.reduce((sum, duration) => sum + BigInt(duration), 0n)) / sorted.length
  const percentiles = [0.5, 0.75, 0.9, 0.95, 0.99].map((share) => {
    const position = (sorted.length - 1) * share
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
        deployedAt: anyMoment,
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

const questions = fc.record({
  ...anyAxis,
  groupBy: fc.constantFrom('application', 'stage'),
  percentiles: fc.constant(true),
  applications: fc.option(fc.subarray(['web', 'api', 'none']), { nil: undefined }),
})

describe('leadTimeChart', () => {
  const agree = (list: readonly Change[], asked: LeadTimeQuestion) => {
    const { series } = leadTimeChart(samplesOf(list), asked)
    const expected = naiveChart(list, asked)
    expect(series.map(({ name, count }) => [name, count])).toEqual(expected.map(({ name, count }) => [name, count]))
    for (const [i, { points }] of series.entries()) {
      const others = expected[i]!.points
      expect(points.map(({ x }) => x)).toEqual(others.map(({ x }) => x))
      for (const [j, { y, values }] of points.entries()) {
        const { count, p50, p75, p90, p95, p99 } = values
        const actual = [count, y, p50, p75, p90, p95, p99]
        const off = others[j]!.figures.map((figure, k) => Math.abs(figure - actual[k]!))
        expect(Math.max(...off)).toBeLessThan(0.001)
      }
    }
  }

  it('agrees with a direct computation on few samples', () => {
    fc.assert(fc.property(changes({ maxLength: 40 }), questions, agree), { numRuns: 300 })
  })

  it('agrees with a direct computation on many samples', () => {
    fc.assert(fc.property(changes({ minLength: 3_000, maxLength: 3_000 }), questions, agree), {
      numRuns: 5,
      endOnFailure: true,
    })
  })
})
