import type { ReportedItem } from '../../../rules/measurement/measured-report.ts'
import type { EventConsumer } from '../../sdk-events/event-consumer.ts'
import { measuredItems } from '../measured-items.ts'
import { measurementChanges } from '../measurement-changes.ts'

/** The consumer of measurements, as engines with all operations use it. */
export const measurementConsumer: EventConsumer<ReportedItem> = { take: measuredItems, changes: measurementChanges }
