import type { UndoContext } from './undo-rules.ts'
import type { LocatedDocument } from './undo-table.ts'

/**
 * Finds a document that the change log names. Returns its collection, its keys, and the rules by which its changes are
 * undone; undefined when the engine does not have the collection.
 *
 * @param change name of the collection, and address of the document in storage.
 */
export function locatedDocument(
  context: UndoContext,
  change: { readonly kind: string; readonly document: string },
): LocatedDocument | undefined {
  // Cast: the context declares only `object`, but the pipeline returns what `UndoTable` returns.
  return context.undoRules(change) as LocatedDocument | undefined
}
