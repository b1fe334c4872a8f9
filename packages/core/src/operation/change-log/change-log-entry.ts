import type { JsonDelta } from '../../rules/json-delta.ts'
import type { Membership } from '../../storage/writer.ts'

/**
 * The stored content of a change log entry. Its sample has the id and the time; the sample's label is the address of
 * the changed resource.
 */
export interface ChangeLogEntry {
  /** Id of the operation, e.g. `patchFlag`. */
  readonly operation: string
  /** Summary of the operation, e.g. `Update a flag`: only in entries of earlier versions, which have no sentences. */
  readonly description?: string
  /** Sentences about the changes, one or more for each, e.g. `turned on Checkout in Production`. */
  readonly sentences?: readonly string[]
  /** Kind of the changed resource, e.g. `flag`. */
  readonly kind: string
  readonly name: string
  /**
   * Result for the resource. A value that was a default until now and is stored for the first time counts as updated.
   */
  readonly verb?: 'created' | 'updated' | 'deleted'
  readonly caller: { readonly id: string; readonly memberId?: string; readonly tokenId?: string }
  readonly comment?: string
  readonly changes: readonly LoggedChange[]
  /** Required actions that are not among those of the changes. */
  readonly besides?: readonly RequiredAction[]
}

/** An action that the call required, with its resource. */
export interface RequiredAction {
  readonly action: string
  /** Address of the resource. */
  readonly resource: string
}

/**
 * The change of one resource: its address, the actions that the change required, and the difference, without secrets.
 */
export interface LoggedChange extends JsonDelta {
  readonly resource: string
  readonly kind: string
  readonly actions: readonly string[]
  /**
   * The difference from the state that callers saw before the change, where it is not the stored one: a default that was
   * stored for the first time, or a document with targets that had expired. Values that responses show in another form
   * are replaced as a whole.
   */
  readonly edit?: JsonDelta
  /** Keys that were added to a set of the resource or removed from it. The set is stored outside the document. */
  readonly members?: Required<Omit<Membership, 'action'>>
}
