import { type ReportedItem, reportedItem } from '../../rules/measurement/measured-report.ts'
import type { EventReport } from '../sdk-events/event-consumer.ts'

/**
 * Returns the parts of a report that measurements need. A sender without a secret, such as a browser, can report
 * exposures only of flags that it can evaluate.
 */
export function measuredItems({ events, trusted, isKnownFlag }: EventReport): readonly ReportedItem[] {
  const mayReport = trusted ? () => true : isKnownFlag
  return events.flatMap((event) => reportedItem(event, mayReport) ?? [])
}
