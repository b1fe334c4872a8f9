import { latenessMs } from './lateness.ts'

/** The steps of a funnel in order: indexes in the event keys of the measurement. */
export type FunnelSteps = readonly number[]

/** Times of the events of a unit that funnels need, by index of the event key, ascending; null where there are none. */
export type EventTimes = readonly (readonly number[] | null)[]

/** Maximum number of times that are kept for a unit and an event key: the newest ones. */
const maxTimes = 100

/**
 * Returns when a unit first reached each step of a funnel. A step is reached by an event at the time of the step before
 * it or later. One event reaches one step only, so a later step with the same event key needs a later event.
 *
 * @returns integer ms, UTC, for the steps that were reached.
 */
export function reachedAt(steps: FunnelSteps, times: EventTimes | undefined): number[] {
  const reached: number[] = []
  for (const [index, event] of steps.entries()) {
    const last = reached[index - 1] ?? Number.NEGATIVE_INFINITY
    const same = steps.slice(0, index).lastIndexOf(event)
    const used = same < 0 ? Number.NEGATIVE_INFINITY : (reached[same] as number)
    const next = times?.[event]?.find((at) => at >= last && at > used)
    if (next === undefined) break
    reached.push(next)
  }
  return reached
}

/**
 * Adds events to the times of a unit, and removes times that can no longer become part of a funnel: times after a step
 * was reached, because that moment can only become earlier, and times older than any report that can still arrive.
 *
 * @param now integer ms, UTC.
 */
export function withFunnelEvents(
  before: EventTimes | undefined,
  events: readonly { readonly at: number; readonly event: number }[],
  funnels: readonly FunnelSteps[],
  now: number,
): EventTimes {
  const used = new Set(funnels.flat())
  const times: number[][] = Array.from({ length: Math.max(-1, ...used) + 1 }, (_, event) => [
    ...(before?.[event] ?? []),
  ])
  for (const { at, event } of events) if (used.has(event)) times[event]?.push(at)
  for (const list of times) list.sort((a, b) => a - b)
  const reached = funnels.map((steps) => ({ steps, at: reachedAt(steps, times) }))
  return times.map((list, event) => {
    const limits = reached.flatMap(({ steps, at }) =>
      steps.flatMap((step, index) => (step === event ? [at[index] ?? Number.POSITIVE_INFINITY] : [])),
    )
    const latest = Math.max(Number.NEGATIVE_INFINITY, ...limits)
    const retainedTimes = [...new Set(list)].filter(
      (at) => limits.includes(at) || (at <= latest && at > now - latenessMs),
    )
    const recent = retainedTimes.slice(-maxTimes)
    return retainedTimes.length === 0 ? null : retainedTimes.filter((at) => limits.includes(at) || recent.includes(at))
  })
}
