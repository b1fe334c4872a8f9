import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BucketQuestion } from '../lead-time/buckets.ts'
import { anyAxis, anyMoment, plainStarts } from '../lead-time/test/plain-buckets.ts'
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

function inBuckets<T extends { readonly at: number }>(events: readonly T[], asked: BucketQuestion): T[][] {
  const starts = plainStarts(asked)
  return starts.map((start, i) =>
    events.filter(({ at }) => at >= Math.max(start, asked.from) && at < Math.min(starts[i + 1] ?? Infinity, asked.to)),
  )
}

const told = fc.record({
  at: anyMoment,
  label: fc.constantFrom('web', 'api', 'ios'),
  type: fc.constantFrom('started', 'finished', 'failed', 'custom'),
  again: fc.boolean(),
})

const ends: Readonly<Record<string, number | null>> = { started: null, custom: null, finished: 1, failed: 0 }

describe('deployments', () => {
  it('are counted as a direct computation counts them', () => {
    const questions = fc.record({
      ...anyAxis,
      groupBy: fc.constantFrom('application', 'kind', undefined),
      applications: fc.option(fc.subarray(['web', 'api', 'none'], { minLength: 1 }), { nil: undefined }),
      metrics: fc.boolean(),
    })
    fc.assert(
      fc.property(fc.array(told, { maxLength: 60 }), questions, (events, asked) => {
        const stored = events.map(({ at, label, type, again }) => ({
          at,
          label,
          values: [ends[type] ?? null, type === 'started' ? 1 : 0, again ? 1 : 0],
        }))
        const { series, summary } = deploymentFrequencyChart(columnsOf(stored, 3), asked)
        const wanted = events.filter(({ label }) => asked.applications?.includes(label) ?? true)
        const within = wanted.filter(({ at }) => at >= asked.from && at < asked.to)
        const groupOf = ({ label, again }: (typeof events)[number]) => {
          if (asked.groupBy === 'application') return label
          return asked.groupBy === 'kind' ? (again ? 'redeployment' : 'deployment') : 'deployments'
        }
        const names = {
          application: [...new Set(asked.applications ?? within.map(({ label }) => label))].sort(),
          kind: ['deployment', 'redeployment'],
          none: ['deployments'],
        }[asked.groupBy ?? 'none']
        const count = (some: typeof events, type: string) => some.filter((one) => one.type === type).length
        expect(series).toEqual(
          names.map((name) => {
            const own = wanted.filter((one) => groupOf(one) === name)
            const points = inBuckets(own, asked).map((some, i) => {
              const [finished, failed, started] = ['finished', 'failed', 'started'].map((type) => count(some, type))
              const values = asked.metrics ? { count: finished, finished, failed, started } : { count: finished }
              return { x: plainStarts(asked)[i], y: finished, values }
            })
            return { name, count: points.reduce((sum, { y = 0 }) => sum + y, 0), points }
          }),
        )
        const finished = count(within, 'finished')
        expect(summary).toEqual({
          finished,
          failed: count(within, 'failed'),
          started: count(within, 'started'),
          perDay: expect.closeTo(finished / ((asked.to - asked.from) / day), 9),
        })
      }),
      { numRuns: 300 },
    )
  })
})

describe('releases', () => {
  it('are counted as a direct computation counts them', () => {
    const change = fc.record({ at: anyMoment, kind: fc.constantFrom('turnedOn', 'served', undefined) })
    const questions = fc.record({ ...anyAxis, groupBy: fc.constantFrom('kind', undefined) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), questions, (changes, asked) => {
        const stored = changes.map(({ at, kind }) => ({
          at,
          label: 'checkout',
          values: [kind ? releaseKinds.indexOf(kind) : null],
        }))
        const { series, summary } = releaseFrequencyChart(columnsOf(stored, 1), asked)
        const released = changes.filter(({ kind }) => kind !== undefined)
        const names = asked.groupBy ? ['turnedOn', 'served'] : ['releases']
        expect(series).toEqual(
          names.map((name) => {
            const own = released.filter(({ kind }) => name === 'releases' || kind === name)
            const points = inBuckets(own, asked).map(({ length }, i) => ({
              x: plainStarts(asked)[i],
              y: length,
              values: { count: length },
            }))
            return { name, count: points.reduce((sum, { y }) => sum + y, 0), points }
          }),
        )
        const within = released.filter(({ at }) => at >= asked.from && at < asked.to)
        expect(summary).toMatchObject({
          releases: within.length,
          turnedOn: within.filter(({ kind }) => kind === 'turnedOn').length,
          served: within.filter(({ kind }) => kind === 'served').length,
        })
      }),
      { numRuns: 200 },
    )
  })
})
