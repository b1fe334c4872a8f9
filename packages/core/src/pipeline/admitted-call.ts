import type { Caller } from '../operation/caller.ts'
import type { Operation } from '../operation/operation.ts'

/** A call that has passed every door before the last. */
export interface AdmittedCall {
  readonly operation: Operation
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  /** Path and query, made only when a handler asks. */
  readonly url: () => string
  readonly now: number
  readonly ifMatch: string | undefined
  /** The action that let the caller in at the door; undefined where that is open. */
  readonly granted: string | undefined
}
