import type { DocumentPage, ListQuery } from '@halyard/core/storage'
import { listedDocument } from './documents.ts'
import { storable } from './row-source.ts'
import { type Sql, sql } from './sql.ts'
import { type AccountDatabase, select } from './sqlite-driver.ts'

/** Reads, by one statement, lists for which `isOfScope` of core returns true. */
export async function readScopeLists(
  { driver, account }: AccountDatabase,
  lists: readonly ListQuery[],
): Promise<DocumentPage[]> {
  const [rows = []] = await driver.read([select(scopeListsSql(account, lists))])
  const pages = lists.map((): ReturnType<typeof listedDocument>[] => [])
  for (const row of rows) pages[Number(row.place)]?.push(listedDocument(row))
  return pages.map((items) => ({ items, total: undefined }))
}

/**
 * Returns the statement that reads the documents at scopes and under them. These are two ranges of an index, because
 * `;` is the character after `:`.
 */
function scopeListsSql(account: string, lists: readonly ListQuery[]): Sql {
  const listsJson = JSON.stringify(
    lists.map(({ collection, scope, limit }) => [
      ...[collection, scope, `${scope}:`, `${scope};`].map(storable),
      Math.min(limit, Number.MAX_SAFE_INTEGER),
    ]),
  )
  const documents = (
    inScope: Sql,
  ) => sql`select w.key as place, w.value ->> 4 as maximum, d.key, d.scope, d.version, d.fields
    from json_each(${listsJson}) w cross join halyard_documents d indexed by halyard_documents_listed
      on d.account = ${account} and d.collection = w.value ->> 0 and ${inScope}`
  return sql`select place, key, scope, version, fields from (
      select *, row_number() over (partition by place order by key, scope) as n from (
        ${documents(sql`d.scope = w.value ->> 1`)} union all
        ${documents(sql`d.scope >= w.value ->> 2 and d.scope < w.value ->> 3`)}
      )
    ) where n <= maximum order by place, key, scope`
}
