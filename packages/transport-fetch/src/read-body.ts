import { ApiError } from '@halyard/core'

/**
 * Reads a request's body as UTF-8, up to a limit.
 *
 * @param limit maximum number of bytes. A body with a larger `content-length` is rejected without reading it; a smaller
 *   `content-length` may be wrong, so the bytes are counted.
 * @returns undefined when the body is longer; the rest is cancelled.
 * @throws ApiError `invalid_request` when the body is not UTF-8, or ends early because the caller closed the
 *   connection.
 */
export async function readText(request: Request, limit: number): Promise<string | undefined> {
  if (!request.body) return ''
  const reader = request.body.getReader()
  if (Number(request.headers.get('content-length')) > limit) return cancel(reader)
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(incompleteBody)
    if (done) return decode(chunks)
    size += value.byteLength
    if (size > limit) return cancel(reader)
    chunks.push(value)
  }
}

/** Yields the chunks of a request's body, read no faster than they are consumed. Stopping early cancels the rest. */
export async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(incompleteBody)
      if (done) return
      yield value
    }
  } finally {
    cancel(reader)
  }
}

/** Cancels without waiting: a source may take any time to stop, and the caller should get the response immediately. */
function cancel(reader: ReadableStreamDefaultReader): undefined {
  reader.cancel().catch(() => {})
}

/**
 * Throws the error of an incomplete body. It is expected, and not logged as an unhandled error, because the caller has
 * gone and cannot read the response.
 */
function incompleteBody(cause: unknown): never {
  throw new ApiError('invalid_request', { message: 'The request body is incomplete', cause })
}

function decode(chunks: readonly Uint8Array[]): string {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  try {
    return chunks.map((chunk) => utf8.decode(chunk, { stream: true })).join('') + utf8.decode()
  } catch (cause) {
    throw new ApiError('invalid_request', { message: 'The request body is not valid UTF-8', cause })
  }
}
