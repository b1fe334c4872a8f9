import type { EngineRequest } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import { summarizedEvaluations } from '../../rules/sdk-protocol/summarized-evaluations.ts'
import type { Report } from '../flag-evaluations/evaluation-batch.ts'
import { readJson } from './read-body.ts'

/** Maximum size of a report in bytes, compressed and decompressed. */
const maxReportBytes = 10 * 1024 * 1024

/** Maximum number of events of a report: twice the default capacity of SDKs. */
const maxEvents = 20_000

/**
 * Reads the report of an SDK about evaluations.
 *
 * @param now integer ms, UTC.
 * @param trusted true when the SDK has a secret key.
 * @param isKnownFlag returns true if a flag exists that the SDK can evaluate; others are not counted.
 * @throws ApiError `invalid_request`: 413 for more than 10 MiB or 20,000 events, 400 for invalid JSON.
 */
export async function readReport(
  request: EngineRequest,
  now: number,
  trusted: boolean,
  isKnownFlag: (flagKey: string) => boolean,
): Promise<Report> {
  const events = await readJson(request, maxReportBytes)
  if (Array.isArray(events) && events.length > maxEvents) {
    fail('invalid_request', { status: 413, message: `A report can have at most ${maxEvents} events` })
  }
  const evaluations = summarizedEvaluations(events, now).filter(({ flagKey }) => isKnownFlag(flagKey))
  return { id: reportId(request), trusted, at: now, evaluations }
}

/** SDKs identify a report by a UUID, and send it again with the same one when they receive no response. */
function reportId({ header }: EngineRequest): string | undefined {
  const id = header('x-launchdarkly-payload-id')
  return id !== undefined && /^[\w-]{1,64}$/.test(id) ? id : undefined
}
