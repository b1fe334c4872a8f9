import type { AccountStorage, Change } from '@halyard/core/storage'

/** Number of documents in one commit. */
const batchSize = 10_000

export interface CopyOptions {
  readonly collection: string
  /** Scope of the original document, and by default of its copies. */
  readonly scope: string
  readonly key: string
  readonly count: number
  /** Scope of a copy; default: the scope of the original. */
  scopeOf?(index: number): string
  keyOf(index: number): string
  /** Fields of a copy that differ from the original, both in the body and in the indexed fields. */
  edit(index: number): Readonly<Record<string, unknown>>
}

/**
 * Fills a storage with copies of a document that an engine created, much faster than the engine creates them one by
 * one.
 */
export async function cloneDocuments(storage: AccountStorage, copies: CopyOptions): Promise<void> {
  const { collection, scope, key, count, keyOf, edit } = copies
  const conditions = [{ op: 'equals', field: 'key', value: key }] as const
  const { items } = await storage.list({ collection, scope, where: conditions, limit: 1, select: 'bodies' })
  const [original] = items
  if (!original) throw new Error(`no ${collection} ${key} exists in "${scope}"`)
  for (let start = 0; start < count; start += batchSize) {
    const indexes = Array.from({ length: Math.min(batchSize, count - start) }, (_, i) => start + i)
    const batch = indexes.map((index): Change => {
      const changedFields = edit(index)
      const fields = { ...original.fields, ...indexedFieldsOf(changedFields, original.fields) }
      const body = { ...(original.body as object), version: 1, ...changedFields }
      return {
        do: 'insert',
        id: { collection, scope: copies.scopeOf?.(index) ?? scope, key: keyOf(index) },
        body,
        fields,
      }
    })
    const { outcome } = await storage.commit(batch)
    if (outcome !== 'committed') throw new Error(`copies of ${collection} ${key}: ${outcome}`)
  }
}

/** Returns the changed fields that are indexed. */
function indexedFieldsOf(changedFields: Readonly<Record<string, unknown>>, fields: object) {
  return Object.fromEntries(Object.entries(changedFields).filter(([name]) => name in fields)) as Record<string, string>
}
