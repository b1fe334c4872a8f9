import { ApiError } from '@halyard/core'

/**
 * Reads a request's body as UTF-8, and no further than it may go.
 *
 * @param limit most bytes. A `content-length` above it is believed without reading; what is smaller is counted.
 * @returns undefined when there is more; the rest is cancelled.
 * @throws ApiError `invalid_request` when the body is not UTF-8, or breaks off because the caller went away.
 */
export async function readText(request: Request, limit: number): Promise<string | undefined> {
  if (!request.body) return ''
  const reader = request.body.getReader()
  if (Number(request.headers.get('content-length')) > limit) return abandon(reader)
  const chunks: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read().catch(brokenOff)
    if (done) return decode(chunks)
    size += value.byteLength
    if (size > limit) return abandon(reader)
    chunks.push(value)
  }
}

/** A request's body as it comes, read no faster than asked for. Whoever stops reading cancels the rest. */
export async function* chunksOf(request: Request): AsyncGenerator<Uint8Array> {
  const reader = request.body?.getReader()
  if (!reader) return
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(brokenOff)
      if (done) return
      yield value
    }
  } finally {
    abandon(reader)
  }
}

/** Not waited for: a source may take as long as it likes to stop, and the caller is to be told at once. */
function abandon(reader: ReadableStreamDefaultReader): undefined {
  reader.cancel().catch(() => {})
}

/** Nobody is left to read the answer, so that this is no surprise worth an alarm. */
function brokenOff(cause: unknown): never {
  throw new ApiError('invalid_request', { message: 'The request body breaks off', cause })
}

function decode(chunks: readonly Uint8Array[]): string {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  try {
    return chunks.map((chunk) => utf8.decode(chunk, { stream: true })).join('') + utf8.decode()
  } catch (cause) {
    throw new ApiError('invalid_request', { message: 'The request body is not valid UTF-8', cause })
  }
}
