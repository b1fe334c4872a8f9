import type { EngineRequest } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import { summarisedEvaluations } from '../../rules/sdk-protocol/summarised-evaluations.ts'
import type { Report } from '../flag-evaluations/evaluation-batch.ts'
import { readJson } from './read-body.ts'

/** Maximum size of a report in bytes, compressed and decompressed. */
const mostReportBytes = 10 * 1024 * 1024

/** Maximum number of events of a report: twice the default capacity of SDKs. */
const mostEvents = 20_000

/**
 * Reads the report of an SDK about evaluations.
 *
 * @param now integer ms, UTC.
 * @param trusted true when the SDK has a secret key.
 * @param isKnownFlag tells whether a flag exists that the SDK can evaluate; others are not counted.
 * @throws ApiError `invalid_request`: 413 for more than 10 MiB or 20,000 events, 400 for invalid JSON.
 */
export async function readReport(
  request: EngineRequest,
  now: number,
  trusted: boolean,
  knows: (flagKey: string) => boolean,
): Promise<Report> {
  const events = await readJson(request, mostReportBytes)
  if (Array.isArray(events) && events.length > mostEvents) {
    fail('invalid_request', { status: 413, message: `A report can have at most ${mostEvents} events` })
  }
  const evaluations = summarisedEvaluations(events, now).filter(({ flagKey }) => knows(flagKey))
  return { id: reportId(request), trusted, at: now, evaluations }
}

/** SDKs identify a report by a UUID, and send it again with the same one when they receive no response. */
function reportId({ header }: EngineRequest): string | undefined {
  const id = header('x-launchdarkly-payload-id')
  return id !== undefined && /^[\w-]{1,64}$/.test(id) ? id : undefined
}
