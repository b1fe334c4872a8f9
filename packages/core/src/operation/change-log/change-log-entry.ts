import type { JsonChange, JsonDelta } from '../../rules/json-delta.ts'
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
  /** Required actions that are not actions of one of the changes. */
  readonly besides?: readonly RequiredAction[]
  /**
   * Documents that were deleted together with the documents in `changes`; a revert restores them too. Default: no
   * documents.
   */
  readonly removed?: readonly RemovedDocument[]
  /**
   * Documents that the call created or replaced in addition to those in `changes`, such as entries of indexes. Default:
   * no documents.
   */
  readonly unlisted?: readonly UnlistedDocument[]
  /** Reason why a revert is refused. Default: a revert is possible. */
  readonly irreversible?: string
  /** Id of the entry that the call reverted. */
  readonly reverts?: string
}

/** A document that was deleted together with another document. Its secrets are omitted. */
export interface RemovedDocument {
  /** Name of its collection. */
  readonly kind: string
  /** Address of the document in storage. */
  readonly document: string
  readonly body: Readonly<Record<string, unknown>>
  /** Names of the document's secret properties that can be generated again. */
  readonly withheld?: readonly string[]
}

/** A document that callers do not change, or a document of which only the version changed. */
export interface UnlistedDocument {
  /** Name of its collection. */
  readonly kind: string
  /** Address of the document in storage. */
  readonly document: string
  /** Version of the document after the call. */
  readonly version: number
  /** Restores the document as it was before the call, without secrets. Absent when the call created it. */
  readonly inverse?: readonly JsonChange[]
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
  /** Address of the document in storage, when it differs from the address of the resource. */
  readonly document?: string
  /**
   * Fingerprints of the changed properties that contain lists, as they were after the change. The patch names elements
   * by index, so the patch alone does not show if the list has changed since.
   */
  readonly lists?: Readonly<Record<string, string>>
  /** True when the change also replaced a secret. */
  readonly secret?: true
  /** Names of the secret properties of a deleted document that can be generated again. */
  readonly withheld?: readonly string[]
  /**
   * The difference from the state that callers saw before the change. Present if that state was not the stored state: a
   * default that was stored for the first time, or a document with targets that had expired. Values that responses show
   * in another form are replaced as a whole.
   */
  readonly edit?: JsonDelta
  /** Keys that were added to a set of the resource or removed from it. The set is stored outside the document. */
  readonly members?: Required<Omit<Membership, 'action'>>
}
