import type { Engine } from '@halyard/core'
import { type LineAnswer, type LineRequest, piecesOf, type TransportHarness } from './transport-harness.ts'

type FetchHandler = (request: Request) => Promise<Response>

/**
 * A harness for handlers of the fetch interface, called as a runtime would call them.
 *
 * @param mount puts the handler before an engine.
 * @param origin what comes before the path, a mount path included. Default `http://localhost`.
 *
 * @example
 * ```ts
 * import { fetchHarness, transportConformance } from '@halyard/conformance'
 * import { createFetchHandler } from '@halyard/transport-fetch'
 *
 * const cases = transportConformance(fetchHarness('fetch', (engine) => createFetchHandler(engine)))
 * await cases[0]?.run()
 * ```
 */
export function fetchHarness(
  name: string,
  mount: (engine: Engine) => FetchHandler,
  origin = 'http://localhost',
): TransportHarness {
  return {
    name,
    open: async (engine) => {
      const handler = mount(engine)
      return {
        send: async (request) => toAnswer(await handler(toRequest(request, origin))),
        close: async () => {},
      }
    },
  }
}

function toRequest(request: LineRequest, origin: string): Request {
  const { method, path, headers = {} } = request
  const pieces = piecesOf(request)
  // The fetch interface does not allow a body on these methods; servers drop it.
  const bare = method === 'GET' || method === 'HEAD' || pieces.length === 0
  const length: Record<string, string> =
    bare || request.chunked ? {} : { 'content-length': String(pieces[0]?.byteLength ?? 0) }
  const init = {
    method,
    headers: { ...headers, ...length },
    // A runtime passes the body as a stream, so this harness does too, whatever the body.
    ...(bare ? {} : { body: streamOf(pieces), duplex: 'half' }),
  }
  return new Request(origin + path, init)
}

function streamOf(pieces: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const piece = pieces.shift()
      if (piece) controller.enqueue(piece)
      else controller.close()
    },
  })
}

async function toAnswer(response: Response): Promise<LineAnswer> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
}
