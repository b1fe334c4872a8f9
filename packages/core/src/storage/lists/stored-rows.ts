import { deepFreeze } from '../../rules/deep-freeze.ts'
import type { Row } from '../adapter/row.ts'
import { listDependency } from '../dependency-index.ts'
import type { ListedDocument, ListQuery } from '../port.ts'
import type { StorageReads } from '../reads.ts'
import type { RowSource } from './row-source.ts'

/** The documents of one collection in one scope. */
type RowPlace = Pick<ListQuery, 'collection' | 'scope'>

/** Returns the source of the rows of one collection in one scope, as they are stored. */
export function storedRows(reads: Pick<StorageReads, 'list'>, { collection, scope }: RowPlace): RowSource {
  const read = async (query: Pick<ListQuery, 'where' | 'offset' | 'limit'>) =>
    (await reads.list({ collection, scope, select: 'fields', ...query })).items.map(rowOf)
  return {
    scope,
    lists: [listDependency({ collection, scope })],
    readPart: read,
    readKeys: (keys) => read({ where: [{ op: 'anyOf', field: 'key', values: keys }], limit: keys.length }),
  }
}

/** Returns the row of a listed document. */
export function rowOf({ key, scope, version, fields }: ListedDocument): Row {
  return { document: { key, scope, version, body: undefined }, fields: deepFreeze(fields) }
}
