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
 * Reads a request's body as UTF-8, and keeps no more of it than it may have.
 *
 * @param limit most bytes. A `content-length` above it is refused without reading; what is smaller is counted.
 * @returns undefined when there is more; the rest then runs past unread, so that the connection can go on.
 * @throws ApiError `invalid_request` when the body is not UTF-8, or breaks off because the caller went away.
 */
export async function readText(req: IncomingMessage, limit: number): Promise<string | undefined> {
  if (Number(req.headers['content-length']) > limit) return discard(req)
  const bytes = await readBytes(req, limit)
  return bytes ? decodeUtf8(bytes) : discard(req)
}

/**
 * A request's body as it comes, read no faster than asked for. When whoever reads it stops, the rest runs past unread, so
 * that the connection can go on.
 */
export async function* chunksOf(req: IncomingMessage): AsyncGenerator<Uint8Array> {
  if (req.readableEnded) return
  if (req.destroyed) throw brokenOff()
  try {
    yield* req.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Uint8Array>
  } catch (cause) {
    throw brokenOff(cause)
  } finally {
    if (!req.readableEnded) discard(req)
  }
}

function readBytes(req: IncomingMessage, limit: number): Promise<Uint8Array | undefined> {
  // A stream that is over emits nothing any more: somebody read it and left no body.
  if (req.readableEnded) return Promise.resolve(new Uint8Array())
  if (req.destroyed) return Promise.reject(brokenOff())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const settle = (settled: () => void) => {
      req.off('data', take).off('end', finish).off('close', breakOff).off('error', breakOff)
      settled()
    }
    const take = (chunk: Buffer) => {
      size += chunk.byteLength
      if (size > limit) settle(() => resolve(undefined))
      else chunks.push(chunk)
    }
    const finish = () => settle(() => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size)))
    const breakOff = (cause?: unknown) => settle(() => reject(brokenOff(cause)))
    req.on('data', take).on('end', finish).on('close', breakOff).on('error', breakOff)
  })
}

/** Nobody is left to read the answer, so that this is no surprise worth an alarm. */
function brokenOff(cause?: unknown): ApiError {
  return new ApiError('invalid_request', { message: 'The request body breaks off', cause })
}

/** How much of a refused body may still run past before the connection is cut, bytes. */
const patience = 64 * 1024 * 1024

export function discard(req: IncomingMessage): undefined {
  let left = patience
  req.on('data', (chunk: Buffer) => {
    left -= chunk.byteLength
    if (left < 0) req.destroy()
  })
  req.on('error', () => {})
}
