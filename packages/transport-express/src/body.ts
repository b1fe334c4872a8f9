import type { IncomingMessage } from 'node:http'
import type { EngineRequestBody } from '@halyard/core'
import { chunksOf, decodeUtf8, readText } from './read-body.ts'

/** The request that Node passes to a listener, with the properties that Express and body parsers add. */
export type IncomingRequest = IncomingMessage & {
  readonly body?: unknown
  readonly baseUrl?: string
  readonly ip?: string
}

/**
 * Returns the body of a request, which a body parser in front of this handler may have read already.
 *
 * Express 4 sets `body` to `{}` on requests that no parser has read, so `body` alone does not prove that a parser has
 * read the body; the stream must have been read too.
 */
export function bodyOf(req: IncomingRequest): EngineRequestBody {
  const { body } = req
  if (body === undefined || !req.readableDidRead) {
    return { kind: 'unread', text: (limit) => readText(req, limit), chunks: () => chunksOf(req) }
  }
  // Body parsers turn an empty body into `{}`, so the header decides.
  if (req.headers['content-length'] === '0') return textBody(Buffer.alloc(0))
  if (typeof body === 'string') return textBody(Buffer.from(body))
  if (body instanceof Uint8Array) return textBody(body)
  return { kind: 'parsed', value: body }
}

/** Returns a body that `express.text()` or `express.raw()` has read. */
function textBody(bytes: Uint8Array): EngineRequestBody {
  return {
    kind: 'unread',
    text: async (limit) => (bytes.byteLength > limit ? undefined : decodeUtf8(bytes)),
    async *chunks() {
      yield bytes
    },
  }
}
