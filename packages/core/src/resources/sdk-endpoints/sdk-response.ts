import type { LiveResponse } from '../../operation/live-response.ts'

/** A response to an SDK. */
export interface SdkResponse extends LiveResponse {
  /** Revision of the data. */
  readonly etag?: string
}

/** The response to a report, whose result an SDK does not need. */
export const accepted: SdkResponse = { status: 202, headers: {}, body: undefined }

/** Returns a response with JSON. */
export function json(body: string): SdkResponse {
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}
