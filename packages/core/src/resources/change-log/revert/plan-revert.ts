import type { ChangeLogEntry, LoggedChange } from '../../../operation/change-log/change-log-entry.ts'
import { locatedDocument } from '../../../operation/undo/located-document.ts'
import type { UndoContext } from '../../../operation/undo/undo-rules.ts'
import type { LocatedDocument } from '../../../operation/undo/undo-table.ts'
import type { Sample } from '../../../storage/port.ts'
import { irreversibleOperations } from './irreversible-operations.ts'
import { documentOf, laterChanges, rewound } from './later-changes.ts'
import { type DocumentPlan, planDocument } from './plan-document.ts'
import { refuse } from './refuse.ts'

/** A change of a set of keys, with the document that the set belongs to. */
export interface SetPlan extends LocatedDocument {
  readonly change: LoggedChange
}

/** All that a revert of an entry writes. */
export interface RevertPlan {
  readonly documents: readonly DocumentPlan[]
  readonly sets: readonly SetPlan[]
}

/**
 * Computes what the revert of an entry writes, from the changes that the change log contains and the documents as they
 * are now. Nothing is written here.
 *
 * @throws ApiError `invalid_request` when the entry cannot be reverted.
 */
export async function planRevert(context: UndoContext, entry: Sample): Promise<RevertPlan> {
  const { operation, changes, irreversible = irreversibleOperations[operation] } = entry.body as ChangeLogEntry
  if (irreversible !== undefined) return refuse(context, irreversible)
  const documents: DocumentPlan[] = []
  const sets: SetPlan[] = []
  for (const change of changes) {
    const located = locate(context, change)
    if (change.secret) refuse(context, 'it replaced a secret, and the change log contains no secrets')
    if (change.members) sets.push({ ...located, change })
    else {
      const plan = await planOne(context, entry, change, located)
      if (plan) documents.push(plan)
    }
  }
  return { documents, sets }
}

function locate(context: UndoContext, change: LoggedChange): LocatedDocument {
  const located = locatedDocument(context, { kind: change.kind, document: documentOf(change) })
  if (!located) return refuse(context, `this engine does not know the collection ${change.kind}`)
  if (located.rules?.refused !== undefined) refuse(context, located.rules.refused)
  return located
}

async function planOne(
  context: UndoContext,
  entry: Sample,
  change: LoggedChange,
  located: LocatedDocument,
): Promise<DocumentPlan | undefined> {
  const { collection, keys, rules } = located
  const { tx } = context
  const current = await tx.get(collection, keys)
  const plan = await planDocument({
    located,
    change,
    current,
    implied: await rules?.implied?.(context, keys),
    rewind: async (version) => rewound(current, await laterChanges(tx, entry, change), version),
  })
  if (plan && !rules) refuse(context, `changes of a ${collection.noun} cannot be undone`)
  return plan
}
