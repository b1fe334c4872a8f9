import type { ChangeLogEntry } from '../../../operation/change-log/change-log-entry.ts'
import { documentsUnder } from '../../../operation/change-log/removed-documents.ts'
import { locatedDocument } from '../../../operation/undo/located-document.ts'
import type { UndoContext } from '../../../operation/undo/undo-rules.ts'
import { addressOf } from '../../../rules/address.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import type { Sample } from '../../../storage/port.ts'
import { documentOf } from './later-changes.ts'
import { keptProperties } from './plan-document.ts'
import type { RevertPlan } from './plan-revert.ts'
import { refuseConflicts } from './refuse-conflicts.ts'

/**
 * Requires that documents which the entry created contain nothing that was created later, because the revert would
 * delete it too.
 *
 * @throws ApiError `optimistic_locking_error` that names the entry which created it.
 */
export async function requireEmptied(context: UndoContext, entry: Sample, plan: RevertPlan): Promise<void> {
  const entryDocuments = new Set(
    (entry.body as ChangeLogEntry).changes.map((change) => `${change.kind} ${documentOf(change)}`),
  )
  const changeable = context.storedCollections().filter(({ changes }) => changes !== undefined)
  for (const { collection, keys, wanted, rules } of plan.documents) {
    if (wanted || rules?.keepsContents) continue
    const contents = await documentsUnder(context.tx, collection.address.address(keys), changeable)
    for (const remainingDocument of contents) {
      const { name } = remainingDocument.collection
      const document = remainingDocument.address
      if (entryDocuments.has(`${name} ${document}`)) continue
      const located = locatedDocument(context, { kind: name, document })
      if (!located) continue
      const implied = await located.rules?.implied?.(context, located.keys)
      const retained = keptProperties(located)
      const content = (value: object) =>
        Object.fromEntries(Object.entries(value).filter(([property]) => !retained.has(property)))
      if (implied && jsonEqual(content(implied), content(remainingDocument.body as object))) continue
      // Cast: documents are JSON objects, of which only the properties are used here.
      const resource = addressOf(remainingDocument.collection.resource(located.keys, remainingDocument.body as never))
      const change = { kind: name, resource, ...(resource === document ? {} : { document }) }
      await refuseConflicts(context, entry, [
        { ...located, change, conflicts: [{ path: '', theirs: remainingDocument.body }] },
      ])
    }
  }
}
