import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseSdkEvents, type SummarizedEvaluation } from './sdk-events.ts'
import { summarizedEvaluations } from './summarized-evaluations.ts'

const now = Date.UTC(2026, 10, 2)
const day = 24 * 60 * 60 * 1000

/** Random events as SDKs send them, and other JSON values. */
const counter = fc.record({
  variation: fc.option(fc.nat(5), { nil: undefined }),
  version: fc.nat(),
  value: fc.jsonValue(),
  count: fc.integer({ min: 1, max: 1000 }),
})
const summary = fc.record({
  kind: fc.constant('summary'),
  startDate: fc.constant(now - 1000),
  endDate: fc.integer({ min: now - 500, max: now }),
  features: fc.dictionary(
    fc.stringMatching(/^[a-z]{1,3}$/),
    fc.record({ default: fc.jsonValue(), counters: fc.array(counter, { maxLength: 4 }) }),
  ),
})
const invalidEvent = fc.oneof(
  fc.jsonValue(),
  fc.record({ kind: fc.constantFrom('index', 'custom', 'identify', 'click', 'migration_op'), key: fc.string() }),
  fc.record({ kind: fc.constant('summary'), features: fc.jsonValue(), endDate: fc.jsonValue() }),
  fc.record({
    kind: fc.constant('summary'),
    features: fc.record({ x: fc.record({ counters: fc.array(fc.jsonValue()) }) }),
  }),
)

const evaluationsOf = (body: unknown) => summarizedEvaluations(parseSdkEvents(body, now))

const countsByVariation = (evaluations: readonly SummarizedEvaluation[]) => {
  const sums = new Map<string, number>()
  for (const { flagKey, variation, count } of evaluations) {
    const name = `${flagKey} ${variation}`
    sums.set(name, (sums.get(name) ?? 0) + count)
  }
  return Object.fromEntries([...sums].sort())
}

it('summarizedEvaluations counts every counter of every summary, regardless of other events', () => {
  fc.assert(
    fc.property(
      fc.array(summary, { maxLength: 4 }),
      fc.array(invalidEvent, { maxLength: 4 }),
      (summaries, invalidEvents) => {
        const expected: SummarizedEvaluation[] = []
        for (const { features, endDate } of summaries) {
          for (const [flagKey, { counters }] of Object.entries(features)) {
            for (const { variation, count } of counters)
              expected.push({ flagKey, variation: variation ?? null, count, at: endDate })
          }
        }
        const evaluations = evaluationsOf([...invalidEvents, ...summaries])
        const fromInvalid = evaluationsOf(invalidEvents)
        expect(countsByVariation(evaluations)).toEqual(countsByVariation([...fromInvalid, ...expected]))
      },
    ),
  )
})

it('summarizedEvaluations returns valid counts for any input, and never throws', () => {
  fc.assert(
    fc.property(fc.oneof(invalidEvent, fc.array(invalidEvent)), (events) => {
      for (const { flagKey, variation, count, at } of evaluationsOf(events)) {
        expect(typeof flagKey).toBe('string')
        expect(variation === null || (Number.isInteger(variation) && variation >= 0 && variation < 200)).toBe(true)
        expect(Number.isSafeInteger(count) && count >= 0).toBe(true)
        expect(at > now - day && at <= now).toBe(true)
      }
    }),
  )
})

const fromCounter = (endDate: unknown, overrides: object = {}) =>
  evaluationsOf([
    { kind: 'summary', endDate, features: { f: { counters: [{ variation: 1, count: 2, ...overrides }] } } },
  ])

it.each([
  [now, now],
  [now + 1, now],
  [now - day + 1, now - day + 1],
  [now - day, now],
  [now - 0.5, now],
  ['yesterday', now],
  [undefined, now],
])('summarizedEvaluations assigns a report that ends at %s to the time %i', (endDate, at) => {
  expect(fromCounter(endDate)).toEqual([{ flagKey: 'f', variation: 1, count: 2, at }])
})

it('summarizedEvaluations ignores flags that the SDK did not know, and invalid counts', () => {
  for (const invalid of [
    { unknown: true },
    { count: 0 },
    { count: -1 },
    { count: 1.5 },
    { count: '2' },
    { count: 1e15 },
  ]) {
    expect(fromCounter(now, invalid)).toEqual([])
  }
  expect(fromCounter(now, { variation: -1 })[0]?.variation).toBeNull()
  expect(fromCounter(now, { variation: 200 })[0]?.variation).toBeNull()
})

it('summarizedEvaluations returns a count of 0 for an event of a single evaluation, with its time', () => {
  const event = { kind: 'feature', key: 'f', version: 3, variation: 1, creationDate: now - 5 }
  expect(evaluationsOf([event, { ...event, kind: 'debug' }, { ...event, version: undefined }])).toEqual(
    [1, 2].map(() => ({ flagKey: 'f', variation: 1, count: 0, at: now - 5 })),
  )
})
