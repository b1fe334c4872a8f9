/** A successful call of an operation with its response. */
export interface OperationExample {
  /** Parameters of the path. */
  readonly params?: Readonly<Record<string, string>>
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, string>>
  /** The body, as it is sent. */
  readonly body?: unknown
  /** A body that is not JSON, sent in place of `body`. */
  readonly text?: string
  /** Default `application/json`. */
  readonly mediaType?: string
  /** Headers of the response, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  /** The body of the response: a JSON value, the text when it is not JSON, or undefined when there is no body. */
  readonly response: unknown
  /** True when the operation evaluates `If-Match`. */
  readonly supportsIfMatch: boolean
}

/** Examples by operation id. */
export type OperationExamples = Readonly<Record<string, OperationExample>>
