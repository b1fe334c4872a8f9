import type { IdentifyCaller } from './host-identity.ts'

/**
 * A transport-neutral request. Every transport can implement this interface without copying its own request into new
 * objects.
 */
export interface EngineRequest {
  readonly method: string
  /** The raw path below the mount point: still percent-encoded, without query. */
  readonly path: string
  /**
   * Path under which the transport mounts the API, e.g. `/features`, without a slash at its end: links in the response
   * begin with it. Default: the root.
   */
  readonly mountPath?: string
  /** The raw query without `?`; empty when there is no query. */
  readonly query: string
  /** Returns a header by its lower-case name. */
  header(name: string): string | undefined
  readonly body: EngineRequestBody
  /**
   * Returns the address of the client, which the IP allowlist of the account may limit; undefined where the transport
   * cannot determine it. Called only when the allowlist is enabled or changed, and by the console, which shows the
   * address. Default: the address is unknown.
   */
  clientAddress?(): string | undefined
  /** Identifies the caller by the host's own means. Default: by the access token. */
  readonly identify?: IdentifyCaller
}

/** The body of a request: still unread, or read before the engine received the request. */
export type EngineRequestBody =
  /** The engine calls at most one of the two methods, once. */
  | {
      readonly kind: 'unread'
      /** Reads the body as UTF-8; undefined when it has more than `limit` bytes. */
      text(limit: number): Promise<string | undefined>
      /**
       * Yields the body as it arrives, no faster than it is read. The reader may stop early. The iteration ends with an
       * `ApiError` when the client disconnects.
       */
      chunks(): AsyncIterable<Uint8Array>
    }
  /** A body parser of the host has read the body. */
  | { readonly kind: 'parsed'; readonly value: unknown }

/** A transport-neutral response. */
export interface EngineResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; undefined when there is no body, or a streamed one. */
  readonly body: string | undefined
  /** Size of `body` in UTF-8, in bytes, if known. */
  readonly length?: number | undefined
  /**
   * A streamed body. When reading a piece fails, the transport aborts the response, so that the client does not mistake
   * the pieces sent so far for the complete body.
   */
  readonly pieces?: AsyncIterable<string>
}

/**
 * Endpoints that a transport serves beside the API, at the same mount path and for the same callers, e.g. an OAuth 2.0
 * authorization server.
 */
export interface MountedEndpoints {
  /** Returns true for a path below the mount path that belongs to the endpoints. */
  has(path: string): boolean
  /** Handles a request for one of these paths. Never rejects: failures become error responses. */
  handle(request: EngineRequest): Promise<EngineResponse>
}
