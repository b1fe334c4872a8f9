import type { Engine } from '@halyard/core'

/** A request in the form in which a client sends it. */
export interface TransportRequest {
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly path: string
  /** Headers by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sends the body in chunks that split characters, without a `content-length`. */
  readonly chunked?: boolean
}

/** A response in the form in which the transport sent it. */
export interface TransportResponse {
  readonly status: number
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** An empty text for a response without a body. */
  readonly body: string
}

/** A client of a transport that serves an engine. */
export interface TransportClient {
  /** Sends a request. Where the transport has connections, requests that do not overlap use one connection. */
  send(request: TransportRequest): Promise<TransportResponse>
  /** Ends the transport. The caller that created the engine closes it. */
  close(): Promise<void>
}

/** The functions that the author of a transport provides. */
export interface TransportHarness {
  /** Name for test titles, e.g. `Express 5 behind express.json()`. */
  readonly name: string
  /**
   * True when a body parser reads bodies before the engine does. The parser has its own limit and its own response to
   * invalid JSON, so the cases about limits and invalid JSON are omitted. It must accept bodies of 1 MiB.
   */
  readonly hasBodyParser?: boolean
  /** Path under which the transport mounts the API. Links in responses begin with this path. Default: the root. */
  readonly mountPath?: string
  open(engine: Engine): Promise<TransportClient>
}

/**
 * Returns the pieces in which a body is sent.
 *
 * @example
 * ```ts
 * import { bodyChunks } from '@halyard/conformance'
 *
 * const pieces = bodyChunks({ method: 'POST', path: '/api/v2/projects', body: '{"key":"web"}', chunked: true })
 * console.log(pieces.length > 1) // true
 * ```
 */
export function bodyChunks({ body, chunked }: TransportRequest): Uint8Array[] {
  if (body === undefined) return []
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  if (!chunked) return [bytes]
  const size = Math.max(1, Math.min(4096, Math.ceil(bytes.byteLength / 7)))
  const chunks: Uint8Array[] = []
  for (let offset = 0; offset < bytes.byteLength; offset += size) chunks.push(bytes.subarray(offset, offset + size))
  return chunks
}
