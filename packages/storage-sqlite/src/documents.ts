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
      list.deep ? atOrUnder(list.scope) : sql`scope = ${list.scope}`,
      ...(list.where?.length ? [allSql(list.where)] : []),
    ],
    ' and ',
  )
  const order = orderSql(list.order ?? [])
  const rows = sql`from halyard_documents indexed by halyard_documents_listed where ${where}`
  const limits = sql`limit ${list.limit} offset ${list.offset ?? 0}`
  // Bodies are read of the rows of the page alone.
  const page =
    list.select === 'fields'
      ? sql`select key, scope, version, fields ${rows} order by ${order} ${limits}`
      : sql`select key, scope, version, fields, body from halyard_documents
          where rowid in (select rowid ${rows} order by ${order} ${limits}) order by ${order}`
  const count = sql`select count(*) as total ${rows}`
  const [items = [], counted] = await driver.read(list.count ? [select(page), select(count)] : [select(page)])
  return { items: items.map(listedDocument), total: counted && Number(counted[0]?.total) }
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
