import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type DeploymentEvent,
  type DeploymentHistory,
  stateOf,
  withEvents,
} from '../../models/deployments/deployment-history.ts'

const events = (...pairs: [DeploymentEvent['type'], number][]) => pairs.map(([type, at]) => ({ type, at }))

function historyOf(reported: readonly DeploymentEvent[]): DeploymentHistory {
  const history = reported.reduce<DeploymentHistory | undefined>(
    (before, event) => withEvents(before, [event]),
    undefined,
  )
  if (!history) throw new Error('a history has at least one event')
  return history
}

const event = fc.record({
  type: fc.constantFrom('started' as const, 'failed' as const, 'finished' as const, 'custom' as const),
  at: fc.integer({ min: 0, max: 20 }),
})

describe('the history of a deployment', () => {
  it('is the same for any order of its events', () => {
    const eventOrders = fc
      .array(event, { minLength: 1, maxLength: 8 })
      .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))
    fc.assert(
      fc.property(eventOrders, ([list, shuffled]) => {
        expect(historyOf(shuffled)).toEqual(historyOf(list))
      }),
    )
  })

  it('is the same when events are repeated', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 8 }), (list) => {
        expect(historyOf([...list, ...list])).toEqual(historyOf(list))
      }),
    )
  })

  it('is the same when events are added one by one or together', () => {
    const parts = fc.tuple(fc.array(event, { minLength: 1, maxLength: 8 }), fc.array(event, { maxLength: 8 }))
    fc.assert(
      fc.property(parts, ([first, later]) => {
        expect(withEvents(withEvents(undefined, first), later)).toEqual(historyOf([...first, ...later]))
      }),
    )
  })

  it('never ends before it starts', () => {
    fc.assert(
      fc.property(fc.array(event, { minLength: 1, maxLength: 8 }), (list) => {
        const { startedAt, endedAt, status, durationMs = 0 } = stateOf(historyOf(list))
        expect(endedAt === undefined).toBe(status === 'started')
        expect(endedAt ?? startedAt).toBeGreaterThanOrEqual(startedAt)
        expect(durationMs).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})

describe('the state of a deployment', () => {
  it.each([
    ['is started after a start', events(['started', 5]), { status: 'started', kind: 'deployment', startedAt: 5 }],
    [
      'is finished after a success',
      events(['started', 5], ['finished', 9]),
      { status: 'finished', kind: 'deployment', startedAt: 5, endedAt: 9, durationMs: 4 },
    ],
    [
      'is failed after a failure',
      events(['started', 5], ['failed', 9]),
      { status: 'failed', kind: 'deployment', startedAt: 5, endedAt: 9, durationMs: 4 },
    ],
    [
      'has no duration without a start',
      events(['finished', 9]),
      { status: 'finished', kind: 'deployment', startedAt: 9, endedAt: 9 },
    ],
    [
      'is a redeployment after a start that follows an end',
      events(['started', 1], ['failed', 2], ['started', 3]),
      { status: 'started', kind: 'redeployment', startedAt: 3 },
    ],
    [
      'remains a redeployment after its end',
      events(['started', 1], ['failed', 2], ['started', 3], ['finished', 7]),
      { status: 'finished', kind: 'redeployment', startedAt: 3, endedAt: 7, durationMs: 4 },
    ],
    [
      'is failed when a failure and a success have the same time',
      events(['finished', 9], ['failed', 9]),
      { status: 'failed', kind: 'deployment', startedAt: 9, endedAt: 9 },
    ],
    ['is started after a custom event', events(['custom', 4]), { status: 'started', kind: 'deployment', startedAt: 4 }],
  ])('%s', (_, eventOrders, state) => {
    expect(stateOf(historyOf(eventOrders))).toEqual(state)
  })
})
