import type { MaintainerReference } from '../../models/maintainers/maintainer.ts'
import type { UndoRules } from '../../operation/undo/undo-rules.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'
import { nextRevision, type RevisedDocument, type RevisionAddress } from '../../storage/revisions.ts'
import { requireKnownMaintainer } from './require-known-maintainer.ts'

/** Returns the rules for undoing changes of documents with a maintainer. */
export function undoMaintained<
  T extends Versioned & MaintainerReference & { readonly updatedAt: number },
  A extends string,
>(collection: Documents<T, A>): Pick<UndoRules<T, A>, 'prepare' | 'update'> {
  return {
    async prepare(context, _, document) {
      await requireKnownMaintainer(context, document)
      return document
    },
    async update(context, { keys, current, wanted }) {
      await requireKnownMaintainer(context, wanted, current)
      context.tx.replace(collection, keys, current, { ...wanted, updatedAt: context.readClock() })
    },
  }
}

/** Returns the rules for undoing changes of documents with revisions. Undoing a change makes a new revision. */
export function undoRevised<T extends RevisedDocument & MaintainerReference, A extends string>(
  collection: Documents<T, A>,
  revisions: Documents<T, RevisionAddress<A>>,
): Pick<UndoRules<T, A>, 'prepare' | 'update'> {
  return {
    async prepare(context, _, document) {
      await requireKnownMaintainer(context, document)
      return document
    },
    async update(context, { keys, current, wanted }) {
      await requireKnownMaintainer(context, wanted, current)
      const { tx } = context
      const replacement = { keys, before: current, after: wanted }
      tx.replace(collection, keys, current, nextRevision(tx, revisions, replacement, context.readClock()))
    },
  }
}
