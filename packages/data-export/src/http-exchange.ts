import type { ExportOutcome } from '@halyard/core'

/** A response, with the whole body. */
export interface HttpResponse {
  readonly status: number
  readonly body: string
  readonly retryAfter: string | undefined
}

/** The failure of an export. */
export type ExportFailure = Extract<ExportOutcome, { readonly outcome: 'failed' }>

/**
 * Sends a request and reads the response. It follows no redirects.
 *
 * @returns a failure instead of rejecting. Its reason contains no part of the request, which can be secret.
 */
export async function exchange(
  url: string | Request,
  init: RequestInit,
  signal: AbortSignal,
): Promise<HttpResponse | ExportFailure> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal })
    const body = await response.text()
    return { status: response.status, body, retryAfter: response.headers.get('retry-after') ?? undefined }
  } catch {
    return { outcome: 'failed', reason: signal.aborted ? 'No response in time.' : 'No connection.' }
  }
}

/** Returns a failure for a response whose status is not 2xx; undefined for 2xx. */
export function failureOf(response: HttpResponse | ExportFailure, system: string): ExportFailure | undefined {
  if ('outcome' in response) return response
  const { status, retryAfter } = response
  if (status >= 200 && status < 300) return undefined
  return {
    outcome: 'failed',
    reason: `${system} responded with ${status}.`,
    status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  }
}
