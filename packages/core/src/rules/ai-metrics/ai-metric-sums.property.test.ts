import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type AIMetricEvent, aiMetricEvent, type Measurement, sumNames } from './ai-metric-event.ts'
import { addEvents, totalSums } from './ai-metric-sums.ts'

const measurement: fc.Arbitrary<Measurement> = fc.oneof(
  fc.record({ kind: fc.constant('sum' as const), name: fc.constantFrom(...sumNames), value: fc.nat(1000) }),
  // Values are multiples of an eighth, because their sums are exact.
  fc.record({
    kind: fc.constant('score' as const),
    metricKey: fc.constantFrom('tone', '$ld:ai:judge:accuracy', '__proto__'),
    score: fc.nat(8).map((eighths) => eighths / 8),
  }),
)
const event: fc.Arbitrary<AIMetricEvent> = fc.record({
  configKey: fc.constant('assistant'),
  variationKey: fc.constantFrom('short', 'long'),
  variationVersion: fc.nat(2),
  at: fc.constant(0),
  measurement,
})

/** Adds the events up one by one, without the code that is tested. */
function expectedTotals(events: readonly AIMetricEvent[]) {
  const sums = new Map<string, number>()
  const scores = new Map<string, { sum: number; count: number }>()
  for (const { measurement } of events) {
    if (measurement.kind === 'sum') {
      sums.set(measurement.name, (sums.get(measurement.name) ?? 0) + measurement.value)
    } else {
      const { sum, count } = scores.get(measurement.metricKey) ?? { sum: 0, count: 0 }
      scores.set(measurement.metricKey, { sum: sum + measurement.score, count: count + 1 })
    }
  }
  return { sums: Object.fromEntries(sums), scores: Object.fromEntries(scores) }
}

it('sums are the same however the events are divided into batches, and the batches into hours', () => {
  fc.assert(
    fc.property(fc.array(fc.array(event, { maxLength: 6 }), { maxLength: 6 }), fc.nat(6), (batches, hour) => {
      const first = batches.slice(0, hour).reduce(addEvents, [])
      const second = batches.slice(hour).reduce(addEvents, [])
      expect(totalSums([...first, ...second])).toEqual(expectedTotals(batches.flat()))
      for (const variationKey of ['short', 'long']) {
        const variationEntries = [...first, ...second].filter((entry) => entry.variationKey === variationKey)
        expect(totalSums(variationEntries)).toEqual(
          expectedTotals(batches.flat().filter((entry) => entry.variationKey === variationKey)),
        )
      }
    }),
  )
})

it('sums keep the scores of at most 50 metrics', () => {
  const events = Array.from({ length: 60 }, (_, index): AIMetricEvent => {
    const scored = { kind: 'score', metricKey: `m${index}`, score: 1 } as const
    return { configKey: 'c', variationKey: 'v', variationVersion: 1, at: 0, measurement: scored }
  })
  const sums = addEvents(addEvents([], events), events)
  expect(sums.map(({ scores }) => Object.keys(scores).length)).toEqual([50])
  expect(totalSums(sums).scores.m0).toEqual({ sum: 2, count: 2 })
})

const data = { configKey: 'c', variationKey: 'v', version: 2, modelName: 'small', providerName: '' }
const measured = (key: string, value: number | undefined, overrides: object = {}) =>
  aiMetricEvent({ key, value, at: 5, data: { ...data, ...overrides } })

it.each([
  ['$ld:ai:tokens:input', 12, { kind: 'sum', name: 'inputTokens', value: 12 }],
  ['$ld:ai:tokens:output', 12, { kind: 'sum', name: 'outputTokens', value: 12 }],
  ['$ld:ai:tokens:total', 12, { kind: 'sum', name: 'totalTokens', value: 12 }],
  ['$ld:ai:duration:total', 1.5, { kind: 'sum', name: 'durationMs', value: 1.5, counted: 'durations' }],
  ['$ld:ai:tokens:ttf', 0, { kind: 'sum', name: 'timeToFirstTokenMs', value: 0, counted: 'firstTokens' }],
  ['$ld:ai:generation:success', 1, { kind: 'sum', name: 'successes', value: 1 }],
  ['$ld:ai:generation:error', 1, { kind: 'sum', name: 'errors', value: 1 }],
  ['$ld:ai:feedback:user:positive', 1, { kind: 'sum', name: 'thumbsUp', value: 1 }],
  ['$ld:ai:feedback:user:negative', undefined, { kind: 'sum', name: 'thumbsDown', value: 1 }],
  ['$ld:ai:judge:accuracy', 0.5, { kind: 'score', metricKey: '$ld:ai:judge:accuracy', score: 0.5 }],
  ['tone', 1, { kind: 'score', metricKey: 'tone', score: 1 }],
] as const)('the event %s with the value %s is a measurement', (key, value, measurement) => {
  const expected = { configKey: 'c', variationKey: 'v', variationVersion: 2, at: 5, measurement }
  expect(measured(key, value)).toEqual(expected)
})

it.each([
  ['$ld:ai:tokens:input', -1],
  ['$ld:ai:tokens:input', 1e9 + 1],
  ['$ld:ai:tokens:input', undefined],
  ['$ld:ai:usage:completion-config', 1],
  ['tone', 1.1],
  ['tone', undefined],
  ['t'.repeat(257), 1],
])('the event %s with the value %s is not a measurement', (key, value) => {
  expect(measured(key, value)).toBeUndefined()
})

it('an event without the keys of a config and a variation is not a measurement', () => {
  expect(measured('tone', 1, { configKey: undefined })).toBeUndefined()
  expect(measured('tone', 1, { variationKey: 3 })).toBeUndefined()
  expect(aiMetricEvent({ key: '$ld:ai:usage:completion-config', value: 1, at: 5, data: 'c' })).toBeUndefined()
  expect(measured('tone', 1, { version: 'two' })?.variationVersion).toBe(0)
})
