import { coalesce, type DocumentPage, type ListQuery } from '@halyard/core/storage'
import { listedDocument, ofHiddenLength } from './documents.ts'
import type { Query } from './sql-driver.ts'
import type { Tables } from './tables.ts'

/** A row of a list, with the number of the list, from 1. */
interface PlacedRow {
  readonly place: number
  readonly key: string
  readonly scope: string
  readonly version: number
  readonly fields: string
}

/** Reads one of the lists that `isOfScope` of core accepts. */
type ScopeLists = (list: ListQuery) => Promise<DocumentPage>

/**
 * Combines the lists of one turn of the event loop into one prepared statement. Its text does not depend on their number:
 * planning a union of sixty lists takes 20 ms, and reading them less than one.
 */
export function scopeLists(query: Query, tables: Tables, account: string): ScopeLists {
  const readTogether = coalesce(async (lists: readonly ListQuery[]): Promise<DocumentPage[]> => {
    const { rows } = await query<PlacedRow>({
      name: `scopes ${tables.schema}`,
      text: textOf(tables),
      values: [
        account,
        lists.map(({ collection }) => collection),
        lists.map(({ scope }) => scope),
        lists.map(({ limit }) => String(limit)),
      ],
    })
    const pages = lists.map((): ReturnType<typeof listedDocument>[] => [])
    for (const { place, ...row } of rows) pages[place - 1]?.push(listedDocument(row))
    return pages.map((items) => ({ items, total: undefined }))
  })
  return async (list) => (await readTogether([list]))[0] as DocumentPage
}

/** The documents at a scope and those under it are two ranges of the primary key, `;` being the character after `:`. */
function textOf({ documents }: Tables): string {
  const columns = 'd.key, d.scope, d.version, d.fields'
  const ofCollection = `from ${documents} d where d.account = $1 and d.collection = wanted.collection`
  return `select wanted.place::float8 as place, listed.key, listed.scope, listed.version, listed.fields::text as fields
    from unnest(${['$2::text[]', '$3::text[]', '$4::bigint[]'].map(ofHiddenLength).join(', ')})
      with ordinality as wanted(collection, scope, maximum, place)
    cross join lateral (
      (select ${columns} ${ofCollection} and d.scope = wanted.scope)
      union all
      (select ${columns} ${ofCollection} and d.scope >= wanted.scope || ':' and d.scope < wanted.scope || ';')
      order by key, scope limit wanted.maximum
    ) as listed order by place, listed.key, listed.scope`
}
