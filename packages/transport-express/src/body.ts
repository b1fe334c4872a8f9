import type { IncomingMessage } from 'node:http'
import type { EngineRequestBody } from '@halyard/core'
import { chunksOf, decodeUtf8, readText } from './read-body.ts'

/** What Node hands to a listener, with the marks that Express and body parsers leave on it. */
export type IncomingRequest = IncomingMessage & { readonly body?: unknown; readonly baseUrl?: string }

/**
 * The body of a request, which a parser in front may have read already.
 *
 * Express 4 sets `body` to `{}` on requests that its parsers have not touched, so `body` alone tells nothing: what
 * counts is whether the stream was read.
 */
export function bodyOf(req: IncomingRequest): EngineRequestBody {
  const { body } = req
  if (body === undefined || !req.readableDidRead) {
    return { kind: 'unread', text: (limit) => readText(req, limit), chunks: () => chunksOf(req) }
  }
  // Parsers make `{}` of nothing at all.
  if (req.headers['content-length'] === '0') return textBody(Buffer.alloc(0))
  if (typeof body === 'string') return textBody(Buffer.from(body))
  if (body instanceof Uint8Array) return textBody(body)
  return { kind: 'parsed', value: body }
}

/** What `express.text()` or `express.raw()` read. */
function textBody(bytes: Uint8Array): EngineRequestBody {
  return {
    kind: 'unread',
    text: async (limit) => (bytes.byteLength > limit ? undefined : decodeUtf8(bytes)),
    async *chunks() {
      yield bytes
    },
  }
}
