import { UndoTable } from '../../operation/undo/undo-table.ts'
import { addressOf } from '../../rules/address.ts'
import { type BranchBase, rowOf } from '../../storage/branch/branch-rows.ts'
import { type BranchParts, branchStateId } from '../../storage/branch/branch-state.ts'
import type { StoredCollection, Versioned } from '../../storage/collection.ts'
import type { DocumentId } from '../../storage/port.ts'

/** A document that a branch has changed, and that callers can change. */
export interface BranchChange {
  readonly id: DocumentId
  readonly collection: StoredCollection
  readonly keys: Readonly<Record<string, string>>
  /** Address of the document. */
  readonly resource: string
  /** The document of the trunk when the branch first changed it; undefined when there was none. */
  readonly base: BranchBase | undefined
  /** The document in the branch; undefined when it is removed. */
  readonly ours: Versioned | undefined
}

/**
 * Reads the documents that a branch has changed. Documents that the engine itself derives from others are left out.
 *
 * @param collections all collections of the account.
 */
export async function readBranchChanges(
  { own }: Pick<BranchParts, 'own'>,
  collections: readonly StoredCollection[],
): Promise<BranchChange[]> {
  const table = new UndoTable([], collections)
  const kinds = new Map(collections.map((collection) => [collection.name, collection]))
  const changes: BranchChange[] = []
  for await (const records of own.dump()) {
    for (const record of records) {
      if (record.kind !== 'document' || record.id.collection === branchStateId.collection) continue
      const collection = kinds.get(record.id.collection)
      const kind = collection?.address.kinds.at(-1)
      if (!collection?.changes || kind === undefined) continue
      const level = addressOf([{ kind, key: record.id.key }])
      const resource = record.id.scope === '' ? level : `${record.id.scope}:${level}`
      const located = table.locate({ kind: collection.name, document: resource })
      if (!located) continue
      const { id } = record
      const { base, removed, body } = rowOf({ ...id, version: record.version, body: record.body })
      // Casts: the documents of collections are versioned.
      const ours = removed ? undefined : (body as Versioned)
      if (!base && !ours) continue
      changes.push({ id, collection, keys: located.keys, resource, base, ours })
    }
  }
  return changes
}
