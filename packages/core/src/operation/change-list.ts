import type { AccountStorage, Change } from '../storage/port.ts'
import type { ApprovedChange } from './approval-pass.ts'

/** A call of an operation as part of a list of changes. */
export interface ListedCall {
  /** Id of the operation, e.g. `patchFlag`. */
  readonly operation: string
  /** Path and query parameters by name. Default: no parameters. */
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
  /** The request body of the operation. */
  readonly body?: unknown
}

/** A change of a list: a call of an operation that writes. */
export interface ListedChange extends ListedCall {
  /** Entity tag that the resource must have before this change, as in `If-Match`. Default: no condition. */
  readonly ifMatch?: string | undefined
  /**
   * Ids and random bytes to use for the call, in their order, before new ones are generated. Default: all are
   * generated.
   */
  readonly draws?: readonly string[]
}

/** A condition on a resource before the first change of a list. */
export interface Precondition extends ListedCall {
  /** Entity tag of the response of the operation. The operation must be one that reads. */
  readonly ifMatch: string
}

/** A list of changes that are committed together. */
export interface ChangeListInput {
  /** The changes in the order in which they are made. */
  readonly changes: readonly ListedChange[]
  /** Default: none. */
  readonly preconditions?: readonly Precondition[] | undefined
  /** Documents that must have these versions when the list is committed. Default: no documents. */
  readonly expected?: readonly Extract<Change, { readonly do: 'expect' }>[]
  /**
   * True when the changes may generate secrets, although no response shows them. Default false: such changes are
   * refused.
   */
  readonly makesSecrets?: boolean
  /** Resources whose changes reviewers have approved. Default: no resources. */
  readonly approved?: ApprovedChange | undefined
  /** True when the changes are only checked, and not committed. Default false. */
  readonly discards?: boolean
  /** True when each change that requires approval is made as if it was approved. Default false. */
  readonly assumesApproval?: boolean
}

/** The result of one change of a list. */
export interface ChangeResult {
  readonly operation: string
  /** Id of the change log entry of the change; undefined when it changed nothing that is logged. */
  readonly entryId: string | undefined
  /**
   * Sentences of the change log entry of the change, e.g. `turned on Checkout in Production`; empty without an entry.
   */
  readonly sentences: readonly string[]
  /** The response body of the operation; undefined when the response has no body. */
  readonly body: unknown
  /** The message with which the change is refused without approval; undefined when the change requires no approval. */
  readonly approval: string | undefined
}

/** A list of changes that was run and not committed. */
export interface SimulatedChangeList {
  readonly results: readonly ChangeResult[]
  /** The storage without the changes of the list. */
  readonly before: AccountStorage
  /** The storage as it would be after the changes. */
  readonly after: AccountStorage
  /** The records that the changes write. */
  readonly changes: readonly Change[]
}

/** The keys of an environment. */
export type EnvironmentPath = Readonly<Record<'projectKey' | 'environmentKey', string>>
