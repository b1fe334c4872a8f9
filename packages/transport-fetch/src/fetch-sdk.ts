import type { Engine, LiveResponse } from '@halyard/core'
import { type FetchHandler, toEngineRequest } from './fetch-handler.ts'

/** Options of `withSdk`. */
export interface FetchSdkOptions {
  /**
   * Path under which SDKs are served, such as `/features`. It is part of the addresses that SDKs receive. Default:
   * none.
   */
  readonly basePath?: string
}

/**
 * Adds the endpoints for SDKs to a fetch handler: `Deno.serve(withSdk(createFetchHandler(engine), engine))`.
 *
 * It starts no timer: it writes to streams when something changes, when the host calls `engine.sdk.beat()`, and when
 * other requests arrive.
 *
 * @param api handles every other path.
 * @param engine whose flags are served.
 * @throws RangeError when `basePath` does not start with `/`.
 *
 * @example
 * ```ts
 * import { createTestEngine } from '@halyard/testing'
 * import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
 *
 * const engine = await createTestEngine()
 * const handler = withSdk(createFetchHandler(engine), engine)
 * const response = await handler(new Request('http://localhost/sdk/latest-all'))
 * console.log(response.status) // 401
 * ```
 */
export function withSdk<Context extends readonly unknown[] = []>(
  api: FetchHandler<Context>,
  engine: Pick<Engine, 'sdk'>,
  { basePath = '' }: FetchSdkOptions = {},
): FetchHandler<Context> {
  const base = basePath.replace(/\/+$/, '')
  if (base !== '' && !base.startsWith('/')) throw new RangeError('basePath: must start with "/"')
  return async (request, ...context) => {
    const response = engine.sdk.handle(toEngineRequest(request, base))
    return response ? toResponse(await response) : api(request, ...context)
  }
}

function toResponse({ status, headers, body, live }: LiveResponse): Response {
  return new Response(live ? streamOf(live) : body, { status, headers })
}

/** High-water mark of a stream, bytes: it is used only to compute how much the reader has not read yet. */
const bufferBytes = 64 * 1024

/**
 * Returns a stream that buffers what is sent until it is read. When the buffer grows too large, the sender ends the
 * stream.
 */
function streamOf(live: NonNullable<LiveResponse['live']>): ReadableStream<Uint8Array> {
  let stop = () => {}
  let open = true
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const finish = (close: () => void) => {
          if (!open) return
          open = false
          close()
        }
        stop = live({
          send: (chunk) => open && controller.enqueue(chunk),
          backlog: () => (open ? bufferBytes - (controller.desiredSize ?? 0) : 0),
          end: () => finish(() => controller.close()),
          abort: () => finish(() => controller.error(new Error('the client does not read the stream'))),
        })
      },
      cancel() {
        open = false
        stop()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: bufferBytes }),
  )
}
