/** An operation of the reference API that this API does not have. */
export interface UnservedOperation {
  /** Its id in the reference API. */
  readonly id: string
  readonly method: string
  readonly path: string
  /** The reason, and what to use in its place, as a clause. */
  readonly reason: string
}
