import {
  type DocumentId,
  type DocumentPage,
  type Fields,
  fieldsFromJson,
  type ListedDocument,
  type ListQuery,
  type Order,
  type StoredDocument,
} from '@halyard/core/storage'
import { ofHiddenLength } from './array-rows.ts'
import { type Bind, collectValues } from './bind.ts'
import { allSql, joinedTexts, typedField } from './conditions.ts'
import { indexedDeepList } from './deep-lists.ts'
import { indexedSql } from './field-index.ts'
import type { Select, SelectStatement } from './select.ts'
import type { Query, SqlValue } from './sql-driver.ts'
import type { Tables } from './tables.ts'

/** Returns one document by its whole primary key, or undefined. */
export async function getDocument(
  query: Query,
  { schema, documents }: Tables,
  account: string,
  { collection, scope, key }: DocumentId,
): Promise<StoredDocument | undefined> {
  const { rows } = await query<{ version: number; body: string }>({
    name: `get ${schema}`,
    text: `select version, body from ${documents} where account = $1 and collection = $2 and scope = $3 and key = $4`,
    values: [account, collection, scope, key],
  })
  const [row] = rows
  return row && { key, scope, version: row.version, body: JSON.parse(row.body) }
}

/** Returns documents of any collections in the order of `ids`, read by one statement. */
export async function getDocuments(
  query: Query,
  { schema, documents }: Tables,
  account: string,
  ids: readonly DocumentId[],
): Promise<(StoredDocument | undefined)[]> {
  const results = new Array<StoredDocument | undefined>(ids.length).fill(undefined)
  if (ids.length === 0) return results
  const { rows } = await query<{ place: number; version: number; body: string }>({
    name: `get-many ${schema}`,
    text: `select wanted.place::float8 as place, version, body ${fromIds(documents, 'version, body')}`,
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
  query: Query,
  { schema, documents }: Tables,
  account: string,
  ids: readonly DocumentId[],
): Promise<(number | undefined)[]> {
  const { rows } = await query<{ place: number; version: number }>({
    name: `versions ${schema}`,
    text: `select wanted.place::float8 as place, version ${fromIds(documents, 'version')}`,
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

/** Returns ids as three columns, as `unnest` takes them. */
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
export async function listDocuments(
  query: Select,
  tables: Tables,
  account: string,
  list: ListQuery,
): Promise<DocumentPage> {
  const { rows } = await query<ListedRow>(listStatement(tables, account, list))
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

function listStatement(tables: Tables, account: string, list: ListQuery): SelectStatement {
  const { documents } = tables
  const { values, bind } = collectValues()
  const where = [
    `account = ${bind(account)} and collection = ${bind(list.collection)}`,
    ...(list.deep ? underScope(list.scope, bind) : [`scope = ${bind(list.scope)}`]),
    ...(list.where?.length ? [allSql(list.where, bind)] : []),
  ].join(' and ')
  const indexed = indexedSql(tables, account, list, bind)
  const isDeeplyIndexed = list.deep && indexed.length > 0
  const { parts, table } = isDeeplyIndexed
    ? indexedDeepList({ documents, account, list, where, indexed }, bind)
    : { parts: '', table: `${documents} where ${[where, ...indexed].join(' and ')}` }
  const { columns, order } = orderSql(list.order ?? [], bind)
  const selected = ['key', 'scope', 'version', 'fields::text as fields', ...(list.select === 'bodies' ? ['body'] : [])]
  const page = `select ${[...selected, ...columns].join(', ')} from ${table}
    order by ${order} limit ${bind(list.limit)}::bigint offset ${bind(list.offset ?? 0)}::bigint`
  const rowColumns = { key: 'text', scope: 'text', version: 'number', fields: 'text' } as const
  const selectedColumns = list.select === 'bodies' ? { ...rowColumns, body: 'text' as const } : rowColumns
  if (!list.count) return { text: `${parts}${page}`, values, columns: selectedColumns }
  // The page is joined to its total, so that a total without items is a row too. A join has no order of its own, so the
  // order is repeated.
  const text = `${parts}select * from (select count(*)::float8 as total from ${table}) as counted
    left join (${page}) as page on true order by ${order}`
  return { text, values, columns: { ...selectedColumns, total: 'number' } }
}

/** Returns conditions that are true at and under a scope: two ranges of an index. */
export function underScope(scope: string, bind: (value: SqlValue) => string): string[] {
  return scope === '' ? [] : [`(${rangesUnder(scope, bind).join(' or ')})`]
}

/**
 * Returns two conditions: one for documents at a scope, one for documents under it. Each condition is one range of an
 * index, and no row meets both.
 */
export function rangesUnder(scope: string, bind: (value: SqlValue) => string): readonly [at: string, under: string] {
  // `;` is the character after `:`, so this range contains what begins with the scope and a colon.
  return [`scope = ${bind(scope)}`, `scope >= ${bind(`${scope}:`)} and scope < ${bind(`${scope};`)}`]
}

/** With the collation "C", lower() folds only ASCII letters. */
function foldedField(field: string, bind: Bind): string {
  return `lower(${typedField(field, 'string', bind)})`
}

/**
 * Returns the order of a page. The sort values are also selected, under separate names, because the joined page is
 * sorted by them again.
 */
function orderSql(criteria: readonly Order[], bind: Bind): { columns: string[]; order: string } {
  const columns: string[] = []
  const order = criteria.flatMap(({ field, type, descending, ignoreCase }, index) => {
    // The key of a document is never null, and the index of keys has another order of nulls.
    const nulls = field === 'key' ? '' : descending ? ' nulls last' : ' nulls first'
    const direction = `${descending ? 'desc' : 'asc'}${nulls}`
    if (type === 'number') {
      columns.push(`(${typedField(field, 'number', bind)})::float8 as by${index}`)
      return `by${index} ${direction}`
    }
    if (type === 'texts') {
      columns.push(`${joinedTexts(field, bind)} as by${index}`)
      return `by${index} ${direction}`
    }
    // `false` also sorts before `true` as text.
    const folds = ignoreCase && type === 'text'
    const value = folds ? foldedField(field, bind) : typedField(field, type === 'text' ? 'string' : type, bind)
    columns.push(`${value} as by${index}`)
    if (!folds) return `by${index} ${direction}`
    // An index has the beginnings of folded names. Sorting by them first does not change the order.
    columns.push(`left(${value}, 100) as start${index}`)
    return [`start${index} ${direction}`, `by${index} ${direction}`]
  })
  return { columns, order: [...(order.length > 0 ? order : ['key']), 'scope', 'key'].join(', ') }
}
