import { type DocumentPage, type ListQuery, storableJson } from '@halyard/core/storage'
import type { SqlResult } from '../connections/sql-driver.ts'
import type { AccountTables } from '../schema/account-tables.ts'
import type { Tables } from '../schema/tables.ts'
import { ofHiddenLength } from '../statements/array-rows.ts'
import type { SelectStatement } from '../statements/select.ts'
import { listedDocument } from './documents.ts'
import { areEqualities, searchOf } from './equality-search.ts'

/** A row of a list, with the index of the list. */
interface PlacedRow {
  readonly place: number
  readonly key: string
  readonly scope: string
  readonly version: number
  readonly fields: string
}

/** Returns true for a list that `scopeListsStatement` accepts. */
export function isScopeList({ scope, deep, where = [], order = [], offset, count, select }: ListQuery): boolean {
  const isPlain = deep === true && order.length === 0 && !offset && !count && select === 'fields'
  return isPlain && (where.length > 0 ? areEqualities(where) : scope !== '')
}

/**
 * Returns one statement for any number of lists of documents at and under a scope, without bodies or an order. Its text
 * does not depend on the number of lists, because planning a union of sixty lists takes 20 ms, while reading them takes
 * less than 1 ms.
 */
export function scopeListsStatement({ tables, account }: AccountTables, lists: readonly ListQuery[]): SelectStatement {
  const whole = [...lists.entries()].filter(([, { where = [] }]) => where.length === 0)
  const searches = [...lists.entries()].filter(([, { where = [] }]) => where.length > 0)
  return {
    name: `scopes ${tables.schema}`,
    text: textOf(tables),
    values: [
      account,
      whole.map(([, { collection }]) => collection),
      whole.map(([, { scope }]) => scope),
      whole.map(([, { limit }]) => String(limit)),
      whole.map(([place]) => place),
      storableJson(searches.map(([place, list]) => ({ ...searchOf(list), limit: list.limit, place }))),
    ],
    columns: { place: 'number', key: 'text', scope: 'text', version: 'number', fields: 'text' },
  }
}

/** Returns the pages of lists from the rows of their statement. */
export function pagesOf(lists: readonly ListQuery[], { rows }: SqlResult<unknown>): DocumentPage[] {
  const pages = lists.map((): ReturnType<typeof listedDocument>[] => [])
  // Cast: these are the columns of the statement.
  for (const { place, ...row } of rows as readonly PlacedRow[]) pages[place]?.push(listedDocument(row))
  return pages.map((items) => ({ items, total: undefined }))
}

/**
 * Returns the text of the statement. The documents at a scope and those under it are two ranges of the primary key,
 * because `;` is the character after `:`.
 */
function textOf({ documents, list }: Tables): string {
  const columns = 'd.key, d.scope, d.version, d.fields::text'
  const ofCollection = `from ${documents} d where d.account = $1 and d.collection = wanted.collection`
  return `select place::float8 as place, key, scope, version, fields from (
    select wanted.place, listed.key, listed.scope, listed.version, listed.fields
    from unnest(${['$2::text[]', '$3::text[]', '$4::bigint[]', '$5::int[]'].map(ofHiddenLength).join(', ')})
      as wanted(collection, scope, maximum, place)
    cross join lateral (
      (select ${columns} ${ofCollection} and d.scope = wanted.scope)
      union all
      (select ${columns} ${ofCollection} and d.scope >= wanted.scope || ':' and d.scope < wanted.scope || ';')
      order by key, scope limit wanted.maximum
    ) as listed
    union all
    select (search ->> 'place')::int, listed_key, listed_scope, listed_version, listed_fields
    from jsonb_array_elements($6::jsonb) as search cross join lateral ${list}($1, search)
  ) as listed(place, key, scope, version, fields) order by place, key collate "C", scope collate "C"`
}
