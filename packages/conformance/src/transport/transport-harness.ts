import type { Engine } from '@halyard/core'

/** A request as bytes on a line would say it. */
export interface LineRequest {
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly path: string
  /** By lower-case names. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Send the body in pieces that cut through characters, without a `content-length`. */
  readonly chunked?: boolean
}

/** What came back over a transport. */
export interface LineAnswer {
  readonly status: number
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** Empty when there is none. */
  readonly body: string
}

/** A transport with an engine behind it, as its callers see it. */
export interface TransportLine {
  /** Where the transport has connections, requests that do not overlap share one. */
  send(request: LineRequest): Promise<LineAnswer>
  /** Ends the transport; the engine is closed by whoever made it. */
  close(): Promise<void>
}

/** What a transport's author brings. */
export interface TransportHarness {
  /** For test names, e.g. `Express 5 behind express.json()`. */
  readonly name: string
  /**
   * A body parser reads bodies before the engine does. Its limit and its answer to broken JSON are its own, so that
   * the cases about those are left out; it must take bodies of 1 MiB.
   */
  readonly parserInFront?: boolean
  open(engine: Engine): Promise<TransportLine>
}

/**
 * A body as the pieces in which it is sent.
 *
 * @example
 * ```ts
 * import { piecesOf } from '@halyard/conformance'
 *
 * const pieces = piecesOf({ method: 'POST', path: '/api/v2/projects', body: '{"key":"web"}', chunked: true })
 * console.log(pieces.length > 1) // true
 * ```
 */
export function piecesOf({ body, chunked }: LineRequest): Uint8Array[] {
  if (body === undefined) return []
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  if (!chunked) return [bytes]
  const size = Math.max(1, Math.min(4096, Math.ceil(bytes.byteLength / 7)))
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.byteLength; at += size) pieces.push(bytes.subarray(at, at + size))
  return pieces
}
