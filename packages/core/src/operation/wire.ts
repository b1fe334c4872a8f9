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

export type WireBody =
  /** Reads the body as UTF-8; undefined when it has more bytes than `limit`. Asked at most once. */
  | { readonly kind: 'unread'; text(limit: number): Promise<string | undefined> }
  /** A body parser in front of the engine has read it already. */
  | { readonly kind: 'parsed'; readonly value: unknown }

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; undefined where there is no body. */
  readonly body: string | undefined
}
