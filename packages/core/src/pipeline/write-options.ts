import type { Versioned } from '../storage/collection.ts'
import type { DocumentId } from '../storage/port.ts'

/** Options of the run of a writing operation. */
export interface WriteOptions {
  /**
   * True when webhooks will probably be notified of the change that the call makes. The webhooks are then read together
   * with the handler's own reads; otherwise they are read only after a change.
   */
  readonly notifies: boolean
  /**
   * False when there is no caller who could resolve a conflict, so that the call may overwrite a concurrent change of
   * the same part.
   */
  readonly reportsConflicts: boolean
  /**
   * Earlier versions of documents on which the call is based: later changes by other calls are conflicts. Default: the
   * documents as the first run reads them.
   */
  readonly bases?: readonly { readonly id: DocumentId; readonly document: Versioned }[]
}
