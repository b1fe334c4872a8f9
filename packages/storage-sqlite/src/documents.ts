import {
  type DocumentId,
  type DocumentPage,
  fieldsFromJson,
  type ListedDocument,
  type ListQuery,
  type Order,
  type StoredDocument,
} from '@halyard/core/storage'
import { allSql, typedField } from './conditions.ts'
import { searchOf } from './document-terms.ts'
import { isListed, listedSql } from './listed-documents.ts'
import { rowChunks } from './row-source.ts'
import { atOrUnder } from './scope-ranges.ts'
import { fixedSql, joinSql, type Sql, sql } from './sql.ts'
import { type Row, type SqliteDriver, select } from './sqlite-driver.ts'

/** Returns documents of any collections in the order of `ids`. */
export async function getDocuments(
  driver: SqliteDriver,
  account: string,
  ids: readonly DocumentId[],
): Promise<(StoredDocument | undefined)[]> {
  const documents = new Array<StoredDocument | undefined>(ids.length).fill(undefined)
  for (const { place, version, body } of await readByIds(driver, account, ids, 'version, body')) {
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
  driver: SqliteDriver,
  account: string,
  ids: readonly DocumentId[],
): Promise<(number | undefined)[]> {
  const versions = new Array<number | undefined>(ids.length).fill(undefined)
  for (const { place, version } of await readByIds(driver, account, ids, 'version')) {
    versions[Number(place)] = Number(version)
  }
  return versions
}

const idColumns = ['place', 'collection', 'scope', 'key']

async function readByIds(
  driver: SqliteDriver,
  account: string,
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
export async function listDocuments(driver: SqliteDriver, account: string, list: ListQuery): Promise<DocumentPage> {
  const where = joinSql(
    [
      sql`account = ${account} and collection = ${list.collection}`,
      ...(isListed(list.collection) ? [fixedSql(listedSql())] : []),
      list.deep ? atOrUnder(list.scope, ofCollection(account, list)) : sql`scope = ${list.scope}`,
      ...(list.where?.length ? [allSql(list.where)] : []),
    ],
    ' and ',
  )
  const found = await foundDocuments(driver, account, list)
  const order = orderSql(list.order ?? [])
  const rows = sql`from ${found ?? rangeOf(list)} where ${where}`
  const limits = sql`limit ${list.limit} offset ${list.offset ?? 0}`
  // Bodies are read of the rows of the page alone.
  const page =
    list.select === 'fields'
      ? sql`select key, scope, version, fields ${rows} order by ${order} ${limits}`
      : sql`select key, scope, version, fields, body from halyard_documents
          where id in (select id ${rows} order by ${order} ${limits}) order by ${order}`
  const count = sql`select count(*) as total ${rows}`
  const [items = [], counted] = await driver.read(list.count ? [select(page), select(count)] : [select(page)])
  return { items: items.map(listedDocument), total: counted && Number(counted[0]?.total) }
}

function ofCollection(account: string, { collection }: ListQuery): Sql {
  return sql`halyard_documents indexed by halyard_documents_listed where account = ${account} and collection = ${collection}`
}

/**
 * Maximum number of documents that are read one by one after a search. More are cheaper to find in the range of the
 * list, which is read in one piece.
 */
const maxFound = 2_000

/** Returns the documents that the index of terms finds; undefined when it cannot answer the conditions, or finds many. */
async function foundDocuments(driver: SqliteDriver, account: string, list: ListQuery): Promise<Sql | undefined> {
  const search = driver.indexesTerms && isListed(list.collection) ? searchOf(account, list) : undefined
  if (search === undefined) return undefined
  const found = sql`(select rowid as id from halyard_document_terms where halyard_document_terms match ${search})`
  const [counted] = await driver.read([
    select(sql`select count(*) as n from (select 1 from ${found} limit ${maxFound + 1})`),
  ])
  return Number(counted?.[0]?.n) > maxFound ? undefined : sql`${found} cross join halyard_documents using (id)`
}

/** Sort criteria that have an index of their own. */
const indexedOrders: Readonly<Record<string, string>> = {
  'name text ignoring case': 'halyard_documents_by_name',
  'createdAt number': 'halyard_documents_by_creation',
}

/**
 * Returns the table of a list with the index by which it is read, because SQLite has no statistics from which it could
 * choose one: that of the order for a list without conditions, else that of everything that a list filters, sorts and
 * returns without bodies.
 */
function rangeOf({ collection, order = [], where = [], deep }: ListQuery): Sql {
  const [first, second] = order
  const criterion = first && `${first.field} ${first.type}${first.ignoreCase ? ' ignoring case' : ''}`
  const isOrdered = criterion !== undefined && !second && !deep && where.length === 0 && isListed(collection)
  const index = (isOrdered && indexedOrders[criterion]) || 'halyard_documents_listed'
  return fixedSql(`halyard_documents indexed by ${index}`)
}

function listedDocument({ key, scope, version, fields, body }: Row): ListedDocument {
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
    const value = typedField(field, type)
    const compared = type === 'text' && ignoreCase ? sql`lower(${value})` : value
    return descending ? sql`${compared} desc` : compared
  })
  return joinSql([...(sorts.length > 0 ? sorts : [sql`key`]), sql`scope`, sql`key`], ', ')
}
