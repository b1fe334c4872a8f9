import {
  type DocumentId,
  type DocumentPage,
  fieldsFromJson,
  type ListedDocument,
  type ListQuery,
  type Order,
  type StoredDocument,
} from '@halyard/core/storage'
import { allSql, joinedTexts, typedField } from './conditions.ts'
import { searchOf } from './document-terms.ts'
import { scopesOf, scopesSql } from './list-scopes.ts'
import { isListed, listedSql } from './listed-documents.ts'
import { rowChunks } from './row-source.ts'
import { atOrUnder, isAtOrUnder } from './scope-ranges.ts'
import { fixedSql, joinSql, type Sql, sql } from './sql.ts'
import { type AccountDatabase, type Row, type SqliteDriver, type Statement, select } from './sqlite-driver.ts'

/** Returns documents of any collections in the order of `ids`. */
export async function getDocuments(
  database: AccountDatabase,
  ids: readonly DocumentId[],
): Promise<(StoredDocument | undefined)[]> {
  const documents = new Array<StoredDocument | undefined>(ids.length).fill(undefined)
  for (const { place, version, body } of await readByIds(database, ids, 'version, body')) {
    const id = ids[Number(place)]
    if (id) {
      const { scope, key } = id
      documents[Number(place)] = { key, scope, version: Number(version), body: JSON.parse(String(body)) }
    }
  }
  return documents
}

/** Returns the versions of documents in the order of `ids`, undefined where no document exists. */
export async function getVersions(
  database: AccountDatabase,
  ids: readonly DocumentId[],
): Promise<(number | undefined)[]> {
  const versions = new Array<number | undefined>(ids.length).fill(undefined)
  for (const { place, version } of await readByIds(database, ids, 'version')) {
    versions[Number(place)] = Number(version)
  }
  return versions
}

const idColumns = ['place', 'collection', 'scope', 'key']

async function readByIds(
  { driver, account }: AccountDatabase,
  ids: readonly DocumentId[],
  columns: string,
): Promise<readonly Row[]> {
  const chunks = rowChunks(
    idColumns,
    ids.map(({ collection, scope, key }, place) => [place, collection, scope, key]),
  )
  const statements = chunks.map(({ source }) =>
    select(sql`select w.place, ${fixedSql(columns)} from (${source}) w cross join halyard_documents d
      on d.account = ${account} and d.collection = w.collection and d.scope = w.scope and d.key = w.key`),
  )
  return statements.length === 0 ? [] : (await driver.read(statements)).flat()
}

/** Returns one page of a collection, with its total from the same moment. */
export async function listDocuments(database: AccountDatabase, list: ListQuery): Promise<DocumentPage> {
  const { driver, account } = database
  const { deep, scope } = list
  const search = await searchedDocuments(database, list)
  if (search) {
    const inScope = deep ? isAtOrUnder(scope) : sql`scope = ${scope}`
    const statements = listStatements(account, list, { table: search.table, inScope })
    if (!search.scopes) return pageOf(list, await driver.read(statements))
    const [rows = [], ...results] = await driver.read([select(scopesSql(account, list)), ...statements])
    // Another process may have added a scope since the search was made.
    if (sameTexts(scopesOf(list, rows), search.scopes)) return pageOf(list, results)
  }
  const inScope = deep ? atOrUnder(scope, ofCollection(account, list)) : sql`scope = ${scope}`
  return pageOf(list, await driver.read(listStatements(account, list, { table: rangeOf(list), inScope })))
}

/** Returns the statement that reads a page, and for a list with a total the statement that counts. */
function listStatements(
  account: string,
  list: ListQuery,
  { table, inScope }: { table: Sql; inScope: Sql },
): Statement[] {
  const conditions = [
    sql`account = ${account} and collection = ${list.collection}`,
    ...(isListed(list.collection) ? [fixedSql(listedSql())] : []),
    inScope,
    ...(list.where?.length ? [allSql(list.where)] : []),
  ]
  const rows = sql`from ${table} where ${joinSql(conditions, ' and ')}`
  const order = orderSql(list.order ?? [])
  const limits = sql`limit ${list.limit} offset ${list.offset ?? 0}`
  // Bodies are read only for the rows of the page.
  const page =
    list.select === 'fields'
      ? sql`select key, scope, version, fields ${rows} order by ${order} ${limits}`
      : sql`select key, scope, version, fields, body from halyard_documents
          where id in (select id ${rows} order by ${order} ${limits}) order by ${order}`
  return list.count ? [select(page), select(sql`select count(*) as total ${rows}`)] : [select(page)]
}

function pageOf(list: ListQuery, [items = [], counted]: readonly (readonly Row[])[]): DocumentPage {
  return { items: items.map(listedDocument), total: list.count ? Number(counted?.[0]?.total) : undefined }
}

function ofCollection(account: string, { collection }: ListQuery): Sql {
  return sql`halyard_documents indexed by halyard_documents_listed where account = ${account} and collection = ${collection}`
}

/**
 * Maximum number of documents that are read one by one after a search. If a search finds more, reading the whole range
 * of the list is cheaper.
 */
const maxFound = 2_000

/** Documents that the index of terms finds. */
interface SearchedDocuments {
  readonly table: Sql
  /** The scopes of a deep list at the time of the search; undefined for a list that is not deep. */
  readonly scopes?: readonly string[]
}

/**
 * Returns the documents that the index of terms finds; undefined when it cannot answer the conditions, or finds too
 * many.
 */
async function searchedDocuments(
  { driver, account }: AccountDatabase,
  list: ListQuery,
): Promise<SearchedDocuments | undefined> {
  if (!driver.indexesTerms || !list.where?.length || !isListed(list.collection)) return undefined
  const scopes = list.deep ? scopesOf(list, await readRows(driver, scopesSql(account, list))) : undefined
  if (list.deep && !scopes) return undefined
  const search = searchOf(account, list, scopes ?? [list.scope])
  if (search === undefined) return undefined
  const matchingRows = sql`(select rowid as id from halyard_document_terms where halyard_document_terms match ${search})`
  const [counted] = await readRows(
    driver,
    sql`select count(*) as n from (select 1 from ${matchingRows} limit ${maxFound + 1})`,
  )
  if (Number(counted?.n) > maxFound) return undefined
  return { table: sql`${matchingRows} cross join halyard_documents using (id)`, scopes }
}

async function readRows(driver: SqliteDriver, statement: Sql): Promise<readonly Row[]> {
  return (await driver.read([select(statement)]))[0] ?? []
}

const sameTexts = (a: readonly string[] | undefined, b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b)

/** Sort criteria that have an index of their own. */
const indexedOrders: Readonly<Record<string, string>> = {
  'name text ignoring case': 'halyard_documents_by_name',
  'createdAt number': 'halyard_documents_by_creation',
}

/**
 * Returns the table of a list and names the index to read it by, because SQLite has no statistics to choose one. A
 * list without conditions is read by the index of its order, any other list by the index that contains all narrow
 * rows.
 */
function rangeOf({ collection, order = [], where = [], deep }: ListQuery): Sql {
  const [first, second] = order
  const criterion = first && `${first.field} ${first.type}${first.ignoreCase ? ' ignoring case' : ''}`
  const isOrdered = criterion !== undefined && !second && !deep && where.length === 0 && isListed(collection)
  const index = (isOrdered && indexedOrders[criterion]) || 'halyard_documents_listed'
  return fixedSql(`halyard_documents indexed by ${index}`)
}

/** Returns a document from its row. */
export function listedDocument({ key, scope, version, fields, body }: Row): ListedDocument {
  return {
    key: String(key),
    scope: String(scope),
    version: Number(version),
    fields: fieldsFromJson(String(fields)),
    body: body === undefined ? undefined : JSON.parse(String(body)),
  }
}

// SQLite sorts null before every value, which is the order of the storage port.
function orderSql(criteria: readonly Order[]): Sql {
  const sorts = criteria.map(({ field, type, descending, ignoreCase }) => {
    const value = type === 'texts' ? joinedTexts(field) : typedField(field, type)
    const compared = type === 'text' && ignoreCase ? sql`lower(${value})` : value
    return descending ? sql`${compared} desc` : compared
  })
  return joinSql([...(sorts.length > 0 ? sorts : [sql`key`]), sql`scope`, sql`key`], ', ')
}
