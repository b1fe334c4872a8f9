import type { EngineRequest } from '../../operation/engine-request.ts'
import { ApiError, fail } from '../../operation/errors.ts'
import { concatBytes } from '../../rules/concat-bytes.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads the JSON of an SDK request, plain or compressed with gzip.
 *
 * @param limit maximum number of bytes, compressed and decompressed.
 * @throws ApiError `invalid_request`: 413 for more bytes, 415 for another encoding, 400 for invalid JSON.
 */
export async function readJson(request: EngineRequest, limit: number): Promise<unknown> {
  if (request.body.kind === 'parsed') return request.body.value
  try {
    return JSON.parse(utf8.decode(await readBytes(request, limit)))
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof TypeError) fail('invalid_request', { cause })
    throw cause
  }
}

/** Reads and discards a body, up to the limit. */
export async function discardBody(request: EngineRequest, limit: number): Promise<void> {
  if (request.body.kind === 'parsed') return
  for await (const _ of limited(request.body.chunks(), limit)) {
    // Reads the rest of the body. `limited` throws when the body becomes too long.
  }
}

async function readBytes({ header, body }: EngineRequest, limit: number): Promise<Uint8Array> {
  if (body.kind === 'parsed') return new Uint8Array()
  const encoding = header('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity' && encoding !== 'gzip') fail('invalid_request', { status: 415 })
  const received = limited(body.chunks(), limit)
  const pieces: Uint8Array[] = []
  for await (const piece of encoding === 'gzip' ? limited(decompressed(received), limit) : received) pieces.push(piece)
  return concatBytes(pieces)
}

async function* limited(pieces: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const piece of pieces) {
    size += piece.byteLength
    if (size > limit) {
      fail('invalid_request', { status: 413, message: `The request body has more than ${limit} bytes` })
    }
    yield piece
  }
}

/** Decompresses only as fast as the pieces are read, because a few bytes can expand to very many. */
async function* decompressed(pieces: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gzip = new DecompressionStream('gzip')
  const writer = gzip.writable.getWriter()
  let failure: unknown
  const writing = writeAll(pieces, writer).catch((error) => {
    failure = error
    return writer.abort(error)
  })
  const reader = gzip.readable.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } catch (error) {
    // The error of the input matters more than the truncated compression that it causes.
    if (failure instanceof ApiError) throw failure
    throw new ApiError('invalid_request', {
      message: 'The request body does not match its content encoding',
      cause: error,
    })
  } finally {
    await reader.cancel().catch(() => {})
    await writing.catch(() => {})
  }
}

async function writeAll(pieces: AsyncIterable<Uint8Array>, writer: WritableStreamDefaultWriter): Promise<void> {
  for await (const piece of pieces) {
    await writer.ready
    await writer.write(piece)
  }
  await writer.close()
}
