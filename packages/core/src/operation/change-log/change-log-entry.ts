import type { JsonDelta } from '../../rules/json-delta.ts'
import type { Membership } from '../../storage/writer.ts'

/**
 * The stored content of a change log entry. Its sample has the id and the time; the sample's label is the address of
 * the changed resource.
 */
export interface ChangeLogEntry {
  /** Id of the operation, e.g. `patchFlag`. */
  readonly operation: string
  /** Summary of the operation, e.g. `Update a flag`. */
  readonly description?: string
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
  /** Keys that were added to a set of the resource or removed from it. The set is stored outside the document. */
  readonly members?: Required<Omit<Membership, 'action'>>
}
