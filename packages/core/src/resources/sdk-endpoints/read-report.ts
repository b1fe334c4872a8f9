import type { EngineRequest } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import { parseSdkEvents } from '../../rules/sdk-protocol/sdk-events.ts'
import type { EventReport } from '../sdk-events/event-consumer.ts'
import { readJson } from './read-body.ts'

/** Maximum size of a report in bytes, compressed and decompressed. */
const maxReportBytes = 10 * 1024 * 1024

/** Maximum number of events of a report: twice the default capacity of SDKs. */
const maxEvents = 20_000

/**
 * Reads the report of an SDK: its events.
 *
 * @param now integer ms, UTC.
 * @param trusted true when the SDK has a secret key.
 * @param isKnownFlag returns true if a flag with this key exists and the SDK can evaluate it.
 * @throws ApiError `invalid_request`: 413 for more than 10 MiB or 20,000 events, 400 for invalid JSON.
 */
export async function readReport(
  request: EngineRequest,
  now: number,
  trusted: boolean,
  isKnownFlag: (flagKey: string) => boolean,
): Promise<EventReport> {
  const events = await readJson(request, maxReportBytes)
  if (Array.isArray(events) && events.length > maxEvents) {
    fail('invalid_request', { status: 413, message: `A report can have at most ${maxEvents} events` })
  }
  return { id: reportId(request), trusted, at: now, events: parseSdkEvents(events, now), isKnownFlag }
}

/** SDKs identify a report by a UUID, and send the report again with the same UUID when they receive no response. */
function reportId({ header }: EngineRequest): string | undefined {
  const id = header('x-launchdarkly-payload-id')
  return id !== undefined && /^[\w-]{1,64}$/.test(id) ? id : undefined
}
