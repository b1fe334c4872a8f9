/** A request without a transport's clothes: what any of them can hand over without building objects for it. */
export interface WireRequest {
  readonly method: string
  /** The path as it came, still percent-encoded, without query; below the mount point. */
  readonly path: string
  /** The query as it came, without `?`; empty when there is none. */
  readonly query: string
  /** A header by its lower-case name. */
  header(name: string): string | undefined
  readonly body: WireBody
}

/** The body of a request: still to be read, or read by somebody in front. */
export type WireBody =
  /** Asked at most once, for one of the two. */
  | {
      readonly kind: 'unread'
      /** Reads the body as UTF-8; undefined when it has more bytes than `limit`. */
      text(limit: number): Promise<string | undefined>
      /**
       * The body as it comes, read no faster than asked for. A reader may stop early, and a caller who goes away ends it
       * with an `ApiError`.
       */
      chunks(): AsyncIterable<Uint8Array>
    }
  /** A body parser in front of the engine has read it already. */
  | { readonly kind: 'parsed'; readonly value: unknown }

/** What a transport sends back. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; undefined where there is no body, or one in pieces. */
  readonly body: string | undefined
  /** Bytes of `body` in UTF-8, where they have been counted. */
  readonly length?: number | undefined
  /**
   * A body that is too long to be held. When asking for a piece fails, the answer is to be broken off, so that nobody
   * takes what there was for the whole.
   */
  readonly pieces?: AsyncIterable<string>
}
