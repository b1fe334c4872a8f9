import type { Engine } from '@halyard/core'
import {
  bodyChunks,
  type TransportHarness,
  type TransportRequest,
  type TransportResponse,
} from './transport-harness.ts'

type FetchHandler = (request: Request) => Promise<Response>

/**
 * Creates a harness for handlers of the fetch interface, which it calls as a runtime would.
 *
 * @param mount creates the handler of an engine.
 * @param origin the part of URLs before the path, including a mount path. Default `http://localhost`.
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
  const { pathname } = new URL(origin)
  return {
    name,
    mountPath: pathname === '/' ? '' : pathname,
    open: async (engine) => {
      const handler = mount(engine)
      return {
        send: async (request) => toTransportResponse(await handler(toRequest(request, origin))),
        close: async () => {},
      }
    },
  }
}

function toRequest(request: TransportRequest, origin: string): Request {
  const { method, path, headers = {} } = request
  const chunks = bodyChunks(request)
  // The fetch interface does not allow a body on these methods; servers drop it.
  const hasNoBody = method === 'GET' || method === 'HEAD' || chunks.length === 0
  const length: Record<string, string> =
    hasNoBody || request.chunked ? {} : { 'content-length': String(chunks[0]?.byteLength ?? 0) }
  const init = {
    method,
    headers: { ...headers, ...length },
    // A runtime passes the body as a stream, so this harness does too, whatever the body.
    ...(hasNoBody ? {} : { body: streamOf(chunks), duplex: 'half' }),
  }
  return new Request(origin + path, init)
}

function streamOf(chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const chunk = chunks.shift()
      if (chunk) controller.enqueue(chunk)
      else controller.close()
    },
  })
}

async function toTransportResponse(response: Response): Promise<TransportResponse> {
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  }
}
