import type { UndoContext } from './undo-rules.ts'
import type { LocatedDocument } from './undo-table.ts'

/**
 * Returns the collection and the keys of a document that the change log names, with the rules by which its changes are
 * undone; undefined when the engine has no such collection.
 *
 * @param change name of the collection, and address of the document in storage.
 */
export function locatedDocument(
  context: UndoContext,
  change: { readonly kind: string; readonly document: string },
): LocatedDocument | undefined {
  // Cast: the pipeline returns what its table of rules contains.
  return context.undoRules(change) as LocatedDocument | undefined
}
