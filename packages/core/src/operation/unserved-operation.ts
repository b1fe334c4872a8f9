/** An operation of the reference API that this API does not have. */
export interface UnservedOperation {
  /** Id of the operation in the reference API. */
  readonly id: string
  readonly method: string
  readonly path: string
  /** The reason, and the operation to use instead, as a clause. */
  readonly reason: string
}
