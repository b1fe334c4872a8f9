import type { EngineRequest } from '../../operation/engine-request.ts'
import { fail } from '../../operation/errors.ts'
import { summarisedEvaluations } from '../../rules/sdk-protocol/summarised-evaluations.ts'
import type { Report } from '../flag-evaluations/evaluation-batch.ts'
import { readJson } from './read-body.ts'

/** Bytes of a report, as sent and unpacked. */
const mostReportBytes = 10 * 1024 * 1024

/** Events of a report: twice what SDKs keep by themselves. */
const mostEvents = 20_000

/**
 * Reads what an SDK reports of evaluations.
 *
 * @param now integer ms, UTC.
 * @param trusted whether the SDK has a secret key.
 * @param knows whether there is a flag that the SDK can have evaluated; others are not counted.
 * @throws ApiError `invalid_request`: 413 for more than 10 MiB or 20,000 events, 400 for what is no JSON.
 */
export async function readReport(
  request: EngineRequest,
  now: number,
  trusted: boolean,
  knows: (flagKey: string) => boolean,
): Promise<Report> {
  const events = await readJson(request, mostReportBytes)
  if (Array.isArray(events) && events.length > mostEvents) {
    fail('invalid_request', { status: 413, message: `A report has at most ${mostEvents} events` })
  }
  const evaluations = summarisedEvaluations(events, now).filter(({ flagKey }) => knows(flagKey))
  return { id: reportId(request), trusted, at: now, evaluations }
}

/** SDKs name a report by a UUID, and send it under the same one again when they have seen no answer. */
function reportId({ header }: EngineRequest): string | undefined {
  const id = header('x-launchdarkly-payload-id')
  return id !== undefined && /^[\w-]{1,64}$/.test(id) ? id : undefined
}
