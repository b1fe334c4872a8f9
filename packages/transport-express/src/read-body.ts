import type { IncomingMessage } from 'node:http'
import { ApiError } from '@halyard/core'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** @throws ApiError `invalid_request` for bytes that are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new ApiError('invalid_request', { message: 'The request body is not valid UTF-8', cause })
  }
}

/**
 * Reads a request's body as UTF-8, and buffers no more than the limit.
 * @param limit maximum number of bytes. A `content-length` above it is refused without reading; with a smaller one the
 *   bytes are counted.
 * @returns undefined when the body is longer. The rest is then discarded, so that the connection can be used again.
 * @throws ApiError `invalid_request` when the body is not UTF-8, or incomplete because the caller closed the
 *   connection.
 */
export async function readText(req: IncomingMessage, limit: number): Promise<string | undefined> {
  if (Number(req.headers['content-length']) > limit) return discard(req)
  const bytes = await readBytes(req, limit)
  return bytes ? decodeUtf8(bytes) : discard(req)
}

/**
 * Yields the chunks of a request's body, read no faster than they are consumed. When the consumer stops early, the rest
 * is discarded, so that the connection can be used again.
 */
export async function* chunksOf(req: IncomingMessage): AsyncGenerator<Uint8Array> {
  if (req.readableEnded) return
  if (req.destroyed) throw incompleteBody()
  try {
    yield* req.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>
  } catch (cause) {
    throw incompleteBody(cause)
  } finally {
    if (!req.readableEnded) discard(req)
  }
}

function readBytes(req: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  // A stream that has ended emits no events: another handler read it and did not store the body.
  if (req.readableEnded) return Promise.resolve(new Uint8Array())
  if (req.destroyed) return Promise.reject(incompleteBody())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (action: () => void) => {
      req.off('data', onData).off('end', onEnd).off('close', onIncomplete).off('error', onIncomplete)
      action()
    }
    const onData = (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > limit) settle(() => resolve(undefined))
      else chunks.push(chunk)
    }
    const onEnd = () => settle(() => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size)))
    const onIncomplete = (cause?: unknown) => settle(() => reject(incompleteBody(cause)))
    req.on('data', onData).on('end', onEnd).on('close', onIncomplete).on('error', onIncomplete)
  })
}

/**
 * Returns the error of an incomplete body. It is expected, and not logged as an unhandled error, because the caller has
 * gone and cannot read the response.
 */
function incompleteBody(cause?: unknown): ApiError {
  return new ApiError('invalid_request', { message: 'The request body is incomplete', cause })
}

/** Maximum number of bytes of a refused body that are discarded before the connection is closed. */
const maxDiscardedBytes = 64 * 1024 * 1024

export function discard(req: IncomingMessage): undefined {
  let remaining = maxDiscardedBytes
  req.on('data', (chunk: Buffer) => {
    remaining -= chunk.byteLength
    if (remaining < 0) req.destroy()
  })
  req.on('error', () => {})
}
