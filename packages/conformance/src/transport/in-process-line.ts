import { ApiError, type Engine } from '@halyard/core'
import { type LineRequest, piecesOf, type TransportHarness } from './transport-harness.ts'

/** The engine without a transport. Every transport is compared with it. */
export const inProcess: TransportHarness = {
  name: 'in process',
  open: async (engine) => ({ send: (request) => sendTo(engine, request), close: async () => {} }),
}

async function sendTo(engine: Engine, request: LineRequest) {
  const { method, path: target, headers: given = {} } = request
  const [path = '', query = ''] = target.split(/\?(.*)/s, 2)
  const { status, headers, body, pieces } = await engine.handle({
    method,
    path,
    query,
    header: (name) => given[name],
    body: { kind: 'unread', text: async (limit) => textOf(request, limit), chunks: () => chunksOf(request) },
  })
  if (method === 'HEAD') return { status, headers, body: '' }
  return { status, headers, body: pieces ? await joined(pieces) : (body ?? '') }
}

async function* chunksOf(request: LineRequest): AsyncGenerator<Uint8Array> {
  yield* piecesOf(request)
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

function textOf(request: LineRequest, limit: number): string | undefined {
  const size = piecesOf(request).reduce((sum, piece) => sum + piece.byteLength, 0)
  if (size > limit) return undefined
  const [bytes] = piecesOf({ ...request, chunked: false })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('invalid_request', { message: 'The request body is not valid UTF-8' })
  }
}
