import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { AccountStorage, Sample } from '../storage/port.ts'
import type { Selects } from './audience.ts'
import type { Wire } from './context.ts'

/** A call that was made on a storage of which nothing is changed, by whoever asked for it. */
export interface Rehearsed {
  /** What the operation answered. */
  readonly answer: unknown
  /** What the change log would tell of it; undefined where it changes nothing. */
  readonly entry: Sample | undefined
  readonly wire: Wire
  /** Whether a policy that is no caller's speaks of a change of `entry`. */
  readonly selects: Selects
  /** Whether the caller may do `action` on this thing. */
  allowed<T extends Versioned, A extends string>(
    action: string,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: T,
  ): Promise<boolean>
}

/**
 * Calls an operation on a storage as any call in process: through every door, with the caller's rights.
 *
 * @param storage what it reads and commits to.
 * @param operation id of one of the engine's operations.
 * @throws ApiError as the call would; `internal_error` where the engine was made without the operation.
 */
export type Rehearse = (
  storage: AccountStorage,
  operation: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<Rehearsed>
