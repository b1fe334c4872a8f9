import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type EventTimes, type FunnelSteps, reachedAt, withFunnelEvents } from './funnel.ts'

const hour = 60 * 60 * 1000

interface ArrivingEvent {
  readonly event: number
  readonly at: number
  /** Time from the event to its arrival. */
  readonly delay: number
}

const arrivingEvent: fc.Arbitrary<ArrivingEvent> = fc.record({
  event: fc.nat(2),
  at: fc.nat(60).map((hours) => hours * hour),
  delay: fc.nat(24 * hour - 1),
})
const funnels = fc.array(fc.array(fc.nat(2), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 2 })

/** Returns the number of steps of the longest chain among all chains of events. */
function longestChain(
  steps: FunnelSteps,
  events: readonly ArrivingEvent[],
  chain: readonly ArrivingEvent[] = [],
): number {
  const step = steps[chain.length]
  const next = events.filter(
    ({ event, at }) =>
      event === step && chain.every((earlier) => (earlier.event === event ? at > earlier.at : at >= earlier.at)),
  )
  return next.reduce(
    (longest, event) => Math.max(longest, longestChain(steps, events, [...chain, event])),
    chain.length,
  )
}

it('a unit reaches the steps of the longest chain of its events, in whatever order the events arrive', () => {
  fc.assert(
    fc.property(funnels, fc.array(arrivingEvent, { maxLength: 9 }), (allSteps, events) => {
      const arriving = events.toSorted((a, b) => a.at + a.delay - (b.at + b.delay))
      let times: EventTimes | undefined
      for (const event of arriving) times = withFunnelEvents(times, [event], allSteps, event.at + event.delay)
      for (const steps of allSteps) expect(reachedAt(steps, times)).toHaveLength(longestChain(steps, events))
    }),
    { numRuns: 800 },
  )
})

it('a funnel keeps at most 100 times of an event key, plus the times at which steps were reached', () => {
  const events = Array.from({ length: 500 }, (_, index) => ({ event: 1, at: index }))
  const times = withFunnelEvents(
    [[400], [450]],
    events,
    [
      [1, 0],
      [0, 1],
      [2, 1],
    ],
    500,
  )
  expect(times[1]?.length).toBeLessThanOrEqual(102)
  expect(times[1]).toEqual(expect.arrayContaining([0, 400, 499]))
})
