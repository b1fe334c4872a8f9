import type { Host } from '../../operation/context.ts'
import type { SdkEvent } from '../../rules/sdk-protocol/sdk-events.ts'
import type { EnvironmentCounts } from '../evaluation/evaluators.ts'
import type { EventReport } from './event-consumer.ts'
import { type TrackedEvent, trackedEvent } from './tracked-event.ts'

/** Returns the report of an event of this process. */
export function ownReport(at: number, event: SdkEvent): EventReport {
  return { id: undefined, trusted: true, at, events: [event], isKnownFlag: () => true }
}

/**
 * Returns the report of an event that the program tracks.
 *
 * @throws ApiError `invalid_request` naming `key`, `context` or `value`.
 */
export function trackedReport(host: Host, event: TrackedEvent): EventReport {
  const now = host.now()
  return ownReport(now, trackedEvent(event, now))
}

/** Returns the report of the evaluations of this process in one environment. */
export function countsReport(host: Host, { evaluations }: EnvironmentCounts): EventReport {
  return ownReport(host.now(), { kind: 'summary', evaluations })
}
