import type { Host } from '../operation/context.ts'
import { ApiError } from '../operation/errors.ts'
import type { Operation } from '../operation/operation.ts'
import type { WireAnswer, WireRequest } from '../operation/wire.ts'
import { isStorageUnavailable } from '../storage/port.ts'
import type { JsonWriter } from './json-writer.ts'
import type { Outcome } from './run.ts'

type Headers = Record<string, string>

/** Door 8: the outcome becomes status, headers and JSON text, unless the caller has it already. */
export function encode(
  write: JsonWriter,
  operation: Operation,
  request: WireRequest,
  outcome: Outcome,
  headers: Headers,
): WireAnswer {
  const { etag, more } = outcome
  if (etag !== undefined && operation.method === 'GET' && !more && isKnown(request.header('if-none-match'), etag)) {
    headers.etag = etag
    return { status: 304, headers, body: undefined }
  }
  return encodeWhole(write, operation, outcome, headers)
}

/** The same for whoever wants the answer itself, whether the caller has it or not. */
export function encodeWhole(write: JsonWriter, operation: Operation, outcome: Outcome, headers: Headers): WireAnswer {
  if (outcome.etag !== undefined) headers.etag = outcome.etag
  const { status, mediaType } = operation.success
  if (outcome.location !== undefined) headers.location = outcome.location
  if (mediaType !== undefined) {
    headers['content-type'] = mediaType
    headers['content-disposition'] = 'attachment'
    return { status, headers, body: undefined, pieces: outcome.body as AsyncIterable<string> }
  }
  if (outcome.body === undefined || status === 204) return { status, headers, body: undefined }
  return answerWith(status, headers, write(outcome.body))
}

/** Whether the caller has this revision already: `If-None-Match` lists ETags, and weak ones count (RFC 9110, 13.1.2). */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === etag) return ifNoneMatch === etag
  if (ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.split(',').some((one) => one.trim().replace(/^W\//, '') === etag)
}

/** The end of a call that failed, wherever that was: its status and `{code, message}` (D3). */
export function encodeFailure(failure: ApiError, headers: Headers): WireAnswer {
  return answerWith(failure.status, Object.assign(headers, failure.headers), JSON.stringify(failure.body))
}

function answerWith(status: number, headers: Headers, body: string): WireAnswer {
  headers['content-type'] = 'application/json'
  return { status, headers, body }
}

/** The pieces of a streamed answer; what breaks it off is logged, since nobody can be told any more. */
export async function* toldPieces(
  pieces: AsyncIterable<string>,
  tell: (error: unknown) => ApiError,
): AsyncGenerator<string> {
  try {
    yield* pieces
  } catch (error) {
    throw tell(error)
  }
}

/**
 * Turns whatever was thrown into an agreed failure: a storage that cannot be reached is 503, a surprise is logged
 * once and shown as a plain 500.
 */
export function asFailure(error: unknown, host: Host, operation: string | undefined, requestId: string): ApiError {
  if (error instanceof ApiError) {
    if (error.explanation) {
      host.log({ level: 'debug', event: 'refused', requestId, operation, message: error.explanation })
    }
    return error
  }
  if (isStorageUnavailable(error)) {
    host.log({ level: 'warn', event: 'storage-unavailable', requestId, operation, error })
    return new ApiError('service_unavailable', { cause: error })
  }
  host.log({ level: 'error', event: 'surprise', requestId, operation, error })
  return new ApiError('internal_error', { cause: error })
}
