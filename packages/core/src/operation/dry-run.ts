import type { Documents, Keys, Versioned } from '../storage/collection.ts'
import type { AccountStorage, Sample } from '../storage/port.ts'
import type { ChangeSelector } from './audience.ts'
import type { ResponseFormat } from './context.ts'

/** The result of a call on a storage that discards all changes. */
export interface DryRunResult {
  /** The body of the response. */
  readonly response: unknown
  /** The change log entry of the call; undefined when it changes nothing. */
  readonly entry: Sample | undefined
  readonly format: ResponseFormat
  /** Returns true when a policy without a caller, e.g. the statements of a webhook, selects a change of `entry`. */
  readonly selects: ChangeSelector
  /** Returns true when the caller may do `action` on a document. */
  allowed<T extends Versioned, A extends string>(
    action: string,
    collection: Documents<T, A>,
    keys: Keys<A>,
    document: T,
  ): Promise<boolean>
}

/**
 * Calls an operation on a storage with the caller's rights, through all stages of the pipeline, like a call in process.
 *
 * @param storage storage that the operation reads from and commits to.
 * @param operation id of one of the engine's operations.
 * @throws ApiError as the call does; `internal_error` when the engine was made without the operation.
 */
export type DryRun = (
  storage: AccountStorage,
  operation: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<DryRunResult>
