import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BucketQuery } from '../lead-time/buckets.ts'
import { anyAxis, anyTime, referenceStarts } from '../lead-time/test/plain-buckets.ts'
import { deploymentFrequencyChart, type EventColumns, releaseFrequencyChart, releaseKinds } from './index.ts'

const day = 86_400_000

interface Event {
  readonly at: number
  readonly label: string
  readonly values: readonly (number | null)[]
}

/** Returns events as columns, in order of time. */
function columnsOf(events: readonly Event[], count: number): EventColumns {
  const ordered = events.toSorted((a, b) => a.at - b.at)
  const labels = [...new Set(ordered.map(({ label }) => label))]
  return {
    at: Float64Array.from(ordered, ({ at }) => at),
    labels,
    label: Uint32Array.from(ordered, ({ label }) => labels.indexOf(label)),
    values: Array.from({ length: count }, (_, column) =>
      Float64Array.from(ordered, ({ values }) => values[column] ?? Number.NaN),
    ),
  }
}

function inBuckets<T extends { readonly at: number }>(events: readonly T[], query: BucketQuery): T[][] {
  const starts = referenceStarts(query)
  return starts.map((start, i) =>
    events.filter(({ at }) => at >= Math.max(start, query.from) && at < Math.min(starts[i + 1] ?? Infinity, query.to)),
  )
}

const deploymentEvent = fc.record({
  at: anyTime,
  label: fc.constantFrom('web', 'api', 'ios'),
  type: fc.constantFrom('started', 'finished', 'failed', 'custom'),
  again: fc.boolean(),
})

const ends: Readonly<Record<string, number | null>> = { started: null, custom: null, finished: 1, failed: 0 }

describe('deployments', () => {
  it('are counted as a direct computation counts them', () => {
    const queries = fc.record({
      ...anyAxis,
      groupBy: fc.constantFrom('application', 'kind', undefined),
      applications: fc.option(fc.subarray(['web', 'api', 'none'], { minLength: 1 }), { nil: undefined }),
      metrics: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(deploymentEvent, { maxLength: 60 }), queries, (events, query) => {
        const rows = events.map(({ at, label, type, again }) => ({
          at,
          label,
          values: [ends[type] ?? null, type === 'started' ? 1 : 0, again ? 1 : 0],
        }))
        const { series, summary } = deploymentFrequencyChart(columnsOf(rows, 3), query)
        const included = events.filter(({ label }) => query.applications?.includes(label) ?? true)
        const inRange = included.filter(({ at }) => at >= query.from && at < query.to)
        const groupOf = ({ label, again }: (typeof events)[number]) => {
          if (query.groupBy === 'application') return label
          return query.groupBy === 'kind' ? (again ? 'redeployment' : 'deployment') : 'deployments'
        }
        const names = {
          application: [...new Set(query.applications ?? inRange.map(({ label }) => label))].sort(),
          kind: ['deployment', 'redeployment'],
          none: ['deployments'],
        }[query.groupBy ?? 'none']
        const count = (candidates: typeof events, type: string) =>
          candidates.filter((event) => event.type === type).length
        expect(series).toEqual(
          names.map((name) => {
            const eventsOfSeries = included.filter((event) => groupOf(event) === name)
            const points = inBuckets(eventsOfSeries, query).map((bucketEvents, i) => {
              const [finished, failed, started] = ['finished', 'failed', 'started'].map((type) =>
                count(bucketEvents, type),
              )
              const values = query.metrics ? { count: finished, finished, failed, started } : { count: finished }
              return { x: referenceStarts(query)[i], y: finished, values }
            })
            return { name, count: points.reduce((sum, { y = 0 }) => sum + y, 0), points }
          }),
        )
        const finished = count(inRange, 'finished')
        expect(summary).toEqual({
          finished,
          failed: count(inRange, 'failed'),
          started: count(inRange, 'started'),
          perDay: expect.closeTo(finished / ((query.to - query.from) / day), 9),
        })
      }),
      { numRuns: 300 },
    )
  })
})

describe('releases', () => {
  it('are counted as a direct computation counts them', () => {
    const change = fc.record({ at: anyTime, kind: fc.constantFrom('turnedOn', 'served', undefined) })
    const queries = fc.record({ ...anyAxis, groupBy: fc.constantFrom('kind', undefined) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), queries, (changes, query) => {
        const rows = changes.map(({ at, kind }) => ({
          at,
          label: 'checkout',
          values: [kind ? releaseKinds.indexOf(kind) : null],
        }))
        const { series, summary } = releaseFrequencyChart(columnsOf(rows, 1), query)
        const released = changes.filter(({ kind }) => kind !== undefined)
        const names = query.groupBy ? ['turnedOn', 'served'] : ['releases']
        expect(series).toEqual(
          names.map((name) => {
            const eventsOfSeries = released.filter(({ kind }) => name === 'releases' || kind === name)
            const points = inBuckets(eventsOfSeries, query).map(({ length }, i) => ({
              x: referenceStarts(query)[i],
              y: length,
              values: { count: length },
            }))
            return { name, count: points.reduce((sum, { y }) => sum + y, 0), points }
          }),
        )
        const inRange = released.filter(({ at }) => at >= query.from && at < query.to)
        expect(summary).toMatchObject({
          releases: inRange.length,
          turnedOn: inRange.filter(({ kind }) => kind === 'turnedOn').length,
          served: inRange.filter(({ kind }) => kind === 'served').length,
        })
      }),
      { numRuns: 200 },
    )
  })
})
