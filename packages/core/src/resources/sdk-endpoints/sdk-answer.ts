import type { LiveResponse } from '../../operation/live-response.ts'

/** A response to an SDK. */
export interface SdkAnswer extends LiveResponse {
  /** Revision of the data. */
  readonly etag?: string
}

/** The response to a report, whose result an SDK does not need. */
export const accepted: SdkAnswer = { status: 202, headers: {}, body: undefined }

/** Returns a response with JSON. */
export function json(body: string): SdkAnswer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}
