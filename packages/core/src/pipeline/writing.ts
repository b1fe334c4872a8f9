import type { Audience } from '../operation/audience.ts'
import type { CommitGuard } from '../operation/commit-guard.ts'
import type { Operation } from '../operation/operation.ts'
import type { ReferenceTable } from '../operation/reference-row.ts'
import type { UndoTable } from '../operation/undo/undo-table.ts'
import type { StoredCollection } from '../storage/collection.ts'
import type { write } from './write.ts'

/** What only writes need. The operations and workers that write carry it, so no other engine contains it. */
export interface Writing {
  readonly write: typeof write
  /** The rules by which changes of documents are undone. */
  readonly undo: UndoTable
  /** All collections, whose documents a deletion may remove. */
  readonly collections: readonly StoredCollection[]
  /** The references between all resources. */
  readonly references: ReferenceTable
  /** The collection of environments, whose names are part of the sentences in the change log. */
  readonly environments: StoredCollection
  /** Checks every unit of work before its commit. */
  readonly guard: CommitGuard
  readonly audience: Audience
}

/**
 * Makes what the writes of one engine need.
 *
 * @param operations the operations of the engine, which declare how changes are undone.
 */
export type MakeWriting = (operations: readonly Operation[]) => Writing | Promise<Writing>

/** An operation or a worker that writes. */
export interface Writes {
  readonly makeWriting: MakeWriting
}

/** Returns true when an operation or a worker carries what its writes need. */
export function isWriting<Part extends object>(part: Part): part is Part & Writes {
  return 'makeWriting' in part
}
