/** A call of an operation that succeeded. */
export interface OperationExample {
  /** Parameters of the path. */
  readonly params?: Readonly<Record<string, string>>
  /** Parameters of the query. */
  readonly query?: Readonly<Record<string, string>>
  /** The body, as it is sent. */
  readonly body?: unknown
  /** A body that is no JSON, in its stead. */
  readonly text?: string
  /** Default `application/json`. */
  readonly mediaType?: string
  /** Headers of the answer, by lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** The answer's body: a JSON value, the text of what is no JSON, or undefined where there is none. */
  readonly answer: unknown
  /** Whether `If-Match` is looked at. */
  readonly heedsIfMatch: boolean
}

/** Examples by the operations' ids. */
export type OperationExamples = Readonly<Record<string, OperationExample>>
