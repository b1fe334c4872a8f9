import {
  type DocumentId,
  type DocumentPage,
  type Fields,
  fieldsFromJson,
  type ListedDocument,
  type ListQuery,
  type StoredDocument,
} from '@halyard/core/storage'
import type { AccountQueries } from '../statements/account-queries.ts'
import { ofHiddenLength } from '../statements/array-rows.ts'
import type { Select } from '../statements/select.ts'
import { listStatement } from './list-statement.ts'

/** Returns one document by its whole primary key, or undefined. */
export async function getDocument(
  { query, tables, account }: AccountQueries,
  { collection, scope, key }: DocumentId,
): Promise<StoredDocument | undefined> {
  const { rows } = await query<{ version: number; body: string }>({
    name: `get ${tables.schema}`,
    text: `select version, body from ${tables.documents} where account = $1 and collection = $2 and scope = $3 and key = $4`,
    values: [account, collection, scope, key],
  })
  const [row] = rows
  return row && { key, scope, version: row.version, body: JSON.parse(row.body) }
}

/** Returns documents of any collections in the order of `ids`, read by one statement. */
export async function getDocuments(
  { query, tables, account }: AccountQueries,
  ids: readonly DocumentId[],
): Promise<(StoredDocument | undefined)[]> {
  const results = new Array<StoredDocument | undefined>(ids.length).fill(undefined)
  if (ids.length === 0) return results
  const { rows } = await query<{ place: number; version: number; body: string }>({
    name: `get-many ${tables.schema}`,
    text: `select wanted.place::float8 as place, version, body ${fromIds(tables.documents, 'version, body')}`,
    values: [account, ...columnsOf(ids)],
  })
  for (const { place, version, body } of rows) {
    const id = ids[place - 1]
    if (id) results[place - 1] = { key: id.key, scope: id.scope, version, body: JSON.parse(body) }
  }
  return results
}

/** Returns the versions of documents in the order of `ids`, undefined where no document exists. */
export async function getVersions(
  { query, tables, account }: AccountQueries,
  ids: readonly DocumentId[],
): Promise<(number | undefined)[]> {
  const { rows } = await query<{ place: number; version: number }>({
    name: `versions ${tables.schema}`,
    text: `select wanted.place::float8 as place, version ${fromIds(tables.documents, 'version')}`,
    values: [account, ...columnsOf(ids)],
  })
  const versions = new Array<number | undefined>(ids.length).fill(undefined)
  for (const { place, version } of rows) versions[place - 1] = version
  return versions
}

/**
 * `place` is the index of an id in the list, from 1. The limit makes the server look up each id by itself. A join could
 * keep a plan from the time when the table was small, which reads the whole account.
 */
function fromIds(documents: string, columns: string): string {
  return `from unnest(${['$2::text[]', '$3::text[]', '$4::text[]'].map(ofHiddenLength).join(', ')})
    with ordinality as wanted(collection, scope, key, place)
    cross join lateral (select ${columns} from ${documents} d where d.account = $1
      and d.collection = wanted.collection and d.scope = wanted.scope and d.key = wanted.key limit 1) as found`
}

/** Returns ids as three columns, as `unnest` accepts them. */
export function columnsOf(ids: readonly DocumentId[]): [string[], string[], string[]] {
  return [ids.map((id) => id.collection), ids.map((id) => id.scope), ids.map((id) => id.key)]
}

interface ListedRow {
  readonly total?: number
  /** Null in the single row of a page that has a total and no items. */
  readonly key: string | null
  readonly scope: string
  readonly version: number
  readonly fields: string
  readonly body?: string
}

/** Returns one page of a collection, with its total in the same statement, so that both are of the same snapshot. */
export async function listDocuments(queries: AccountQueries<Select>, list: ListQuery): Promise<DocumentPage> {
  const { rows } = await queries.query<ListedRow>(listStatement(queries, list))
  const items = rows.filter((row) => row.key !== null).map((row) => listedDocument(row))
  return { items, total: list.count ? (rows[0]?.total ?? 0) : undefined }
}

/** Returns a document from its row. */
export function listedDocument({ key, scope, version, fields, body }: ListedRow): ListedDocument {
  const fieldValues: Fields = fieldsFromJson(fields)
  return {
    key: key ?? '',
    scope,
    version,
    fields: fieldValues,
    body: body === undefined ? undefined : JSON.parse(body),
  }
}
