import { type ReportedItem, reportedItem } from '../../rules/measurement/measured-report.ts'
import type { EventReport } from '../sdk-events/event-consumer.ts'

/**
 * Returns what measurements need of a report. A sender without a secret reports exposures only of flags that it can
 * evaluate; what it reports counts, because browsers have no secret.
 */
export function measuredItems({ events, trusted, isKnownFlag }: EventReport): readonly ReportedItem[] {
  const mayReport = trusted ? () => true : isKnownFlag
  return events.flatMap((event) => reportedItem(event, mayReport) ?? [])
}
