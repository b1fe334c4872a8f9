import type { ListQuery } from '@halyard/core/storage'
import type { Bind } from '../statements/bind.ts'

/**
 * Maximum number of scopes whose documents a deep list finds by the index of fields. With more scopes, it reads the
 * whole range.
 */
const maxScopes = 50

/** A deep list that can be read by the index of fields. */
interface IndexedDeepList {
  readonly documents: string
  readonly account: string
  readonly list: ListQuery
  /** The conditions of the list, as SQL. */
  readonly where: string
  /** The conditions that the index can answer, which refer to the part `scopes`. */
  readonly indexed: readonly string[]
}

/**
 * Returns the parts of a statement that find the scopes of a deep list, and the table of its documents. Each scope in
 * which the collection has documents is one step in the primary key. The table is a union of two queries, of which only
 * one is executed. The first searches for the terms of each scope, because the index has terms of single scopes. If
 * there are more than `maxScopes` scopes, the second reads the whole range instead.
 */
export function indexedDeepList({ documents, account, list, where, indexed }: IndexedDeepList, bind: Bind) {
  const { collection, scope } = list
  const end = scope === '' ? '' : `and scope < ${bind(`${scope};`)}`
  const next = (after: string) => `(select scope from ${documents}
    where account = ${bind(account)} and collection = ${bind(collection)} and scope ${after} ${end} order by scope limit 1)`
  const parts = `with recursive steps(scope, n) as (
      select ${next(`>= ${bind(scope === '' ? '' : `${scope}:`)}`)}, 1
      union all select ${next('> steps.scope')}, n + 1 from steps where steps.scope is not null and n <= ${maxScopes}
    ), scopes(scope) as materialized (
      select ${bind(scope)}::text union select scope from steps where scope is not null
    ) `
  const isSearched = `(select count(*) <= ${maxScopes} from steps)`
  const columns = 'key, scope, version, fields, body'
  const table = `(
      select ${columns} from ${documents} where ${[isSearched, where, ...indexed].join(' and ')}
      union all select ${columns} from ${documents} where not ${isSearched} and ${where}
    ) as searched`
  return { parts, table }
}
