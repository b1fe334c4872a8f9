import { ApiError, type Engine } from '@halyard/core'
import { bodyChunks, type TransportClient, type TransportHarness, type TransportRequest } from './transport-harness.ts'

/** The engine without a transport. Every transport is compared with it. */
export const inProcessHarness: TransportHarness = {
  name: 'in process',
  open: async (engine) => inProcessClient(engine),
}

/** Returns a client of an engine without a transport. */
export function inProcessClient(engine: Engine, mountPath = ''): TransportClient {
  return { send: (request) => sendTo(engine, request, mountPath), close: async () => {} }
}

async function sendTo(engine: Engine, request: TransportRequest, mountPath: string) {
  const { method, path: target, headers: headersByName = {} } = request
  const [path = '', query = ''] = target.split(/\?(.*)/s, 2)
  const {
    status,
    headers,
    body,
    pieces: chunks,
  } = await engine.handle({
    method,
    path,
    mountPath,
    query,
    header: (name) => headersByName[name],
    body: { kind: 'unread', text: async (limit) => textOf(request, limit), chunks: () => chunksOf(request) },
  })
  if (method === 'HEAD') return { status, headers, body: '' }
  return { status, headers, body: chunks ? await joinChunks(chunks) : (body ?? '') }
}

async function* chunksOf(request: TransportRequest): AsyncGenerator<Uint8Array> {
  yield* bodyChunks(request)
}

async function joinChunks(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

function textOf(request: TransportRequest, limit: number): string | undefined {
  const size = bodyChunks(request).reduce((sum, chunk) => sum + chunk.byteLength, 0)
  if (size > limit) return undefined
  const [bytes] = bodyChunks({ ...request, chunked: false })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new ApiError('invalid_request', { message: 'The request body is not valid UTF-8' })
  }
}
