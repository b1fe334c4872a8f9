import { DocumentMap } from '../../storage/document-map.ts'
import type { AccountStorage, Change, DocumentId, StoredDocument } from '../../storage/port.ts'

/** Wraps a storage so that the versions of all documents that are read become conditions of a commit. */
export function recordedReads(stored: AccountStorage) {
  const versions = new DocumentMap<true>()
  const conditions: Change[] = []
  function record(id: DocumentId, version: number | undefined): void {
    if (versions.has(id)) return
    versions.set(id, true)
    if (version !== undefined) conditions.push({ do: 'expect', id, version })
    // Inserting and removing the document is the condition for its absence, because the insertion fails when the
    // document exists.
    else conditions.push({ do: 'insert', id, body: {}, fields: {} }, { do: 'remove', id, version: 1 })
  }
  async function getMany(ids: readonly DocumentId[]): Promise<(StoredDocument | undefined)[]> {
    const documents = await stored.getMany(ids)
    for (const [index, id] of ids.entries()) record(id, documents[index]?.version)
    return documents
  }
  const storage: AccountStorage = {
    ...bound(stored),
    get: async (id) => (await getMany([id]))[0],
    getMany,
    async list(query) {
      const page = await stored.list(query)
      for (const { scope, key, version } of page.items) record({ collection: query.collection, scope, key }, version)
      return page
    },
  }
  return { storage, conditions: (): readonly Change[] => conditions }
}

/** Returns the reads of a storage as functions of an object of their own. */
function bound(stored: AccountStorage): Omit<AccountStorage, 'get' | 'getMany' | 'list'> {
  return {
    hasKey: (set, key) => stored.hasKey(set, key),
    findKeys: (set, keys) => stored.findKeys(set, keys),
    countKeys: (set, without) => stored.countKeys(set, without),
    pageKeys: (set, page) => stored.pageKeys(set, page),
    scan: (query) => stored.scan(query),
    newest: (query) => stored.newest(query),
    listTasks: (queue, page) => stored.listTasks(queue, page),
    take: async () => [],
    dump: () => stored.dump(),
    commit: (batch) => stored.commit(batch),
  }
}
