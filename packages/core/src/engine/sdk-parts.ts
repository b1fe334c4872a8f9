// The endpoints for SDKs with the consumers of events, which the first request of an SDK or the first event imports.

import { aiMetricConsumer } from '../resources/ai-config-metrics/ai-metric-consumer.ts'
import { releaseGuardConsumer } from '../resources/automated-releases/release-guard-consumer.ts'
import { contextConsumer } from '../resources/contexts/context-consumer.ts'
import { measuredItems } from '../resources/measurements/measured-items.ts'
import { measurementChanges } from '../resources/measurements/measurement-changes.ts'
import type { EventConsumer } from '../resources/sdk-events/event-consumer.ts'
import type { ReportedItem } from '../rules/measurement/measured-report.ts'

export { sdkEndpoints } from '../resources/sdk-endpoints/sdk-endpoints.ts'

const measurementConsumer: EventConsumer<ReportedItem> = { take: measuredItems, changes: measurementChanges }

export const eventConsumers: readonly EventConsumer[] = [
  aiMetricConsumer,
  contextConsumer,
  measurementConsumer,
  releaseGuardConsumer,
]
