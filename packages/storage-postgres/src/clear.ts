import type { Change, DocumentId } from '@halyard/core/storage'
import { collectValues } from './bind.ts'
import { allSql } from './conditions.ts'
import { columnsOf, rangesUnder, underScope } from './documents.ts'
import type { Statement } from './sql-driver.ts'
import type { Tables } from './tables.ts'

/**
 * Returns the statement that deletes every document, key, sample and task at and under some scopes, none of which is
 * under another. Its single row contains the number of deleted records, for the first scope as `count0` and so on, and
 * the number of deleted tasks as `tasks`.
 */
export function clearStatement(tables: Tables, account: string, scopes: readonly string[]): Statement {
  const { documents, members, samples, tasks, unblockedKeys } = tables
  const { values, bind } = collectValues()
  const owner = bind(account)
  const ranges = scopes.map((scope) => (scope === '' ? ['true'] : rangesUnder(scope, bind)))
  const where = `account = ${owner} and (${ranges.flat().join(' or ')})`
  const rows = ['members', 'removed', 'tasks']
  // The documents of each range are deleted by a part of its own: with an `or` of all ranges the planner reads the
  // whole account.
  const removals = ranges.flatMap((scopeRanges, i) => {
    return scopeRanges.map((range, rangeIndex) => ({
      i,
      name: `documents${i}${rangeIndex === 0 ? '' : 'under'}`,
      stretch: range,
    }))
  })
  const parts = removals.map(
    ({ name, stretch: range }) => `${name} as (
      delete from ${documents} where account = ${owner} and ${range} and ${anyCollection} returning 1
    )`,
  )
  const countColumns = ranges.map((scopeRanges, i) => {
    const counts = [
      ...removals.filter((removal) => removal.i === i).map(({ name }) => `(select count(*) from ${name})`),
      ...rows.map((name) => `(select count(*) from ${name} where ${scopeRanges.join(' or ')})`),
    ]
    return `(${counts.join(' + ')})::float8 as count${i}`
  })
  const text = `with recursive ${collectionsPart(documents, owner)}, ${parts.join(', ')},
    members as (delete from ${members} where ${where} returning scope),
    removed as (delete from ${samples} where ${where} returning scope),
    closed as (delete from ${unblockedKeys} where ${where}),
    tasks as (delete from ${tasks} where ${where} returning scope)
    select ${countColumns.join(', ')}, (select count(*) from tasks)::float8 as tasks`
  // Every other scope is under the scope of the account, so this one is always alone.
  const shape = scopes.includes('') ? 'all' : scopes.length
  return { name: `clear ${shape} ${tables.schema}`, text, values }
}

/**
 * Returns the statement that sets the tasks at and under scopes that were cleared to `asleep = false`: another process
 * may have added them concurrently, and the tasks that they waited for may be deleted.
 */
export function wakeStatement({ tasks }: Tables, account: string, scopes: readonly string[]): Statement {
  const { values, bind } = collectValues()
  const owner = bind(account)
  const scopeConditions = scopes.map((scope) => underScope(scope, bind)[0] ?? 'true')
  return {
    text: `update ${tasks} set asleep = false where account = ${owner} and asleep and (${scopeConditions.join(' or ')})`,
    values,
    composed: true,
  }
}

/**
 * Returns the statement that deletes documents of some collections, of each those at and under a scope that meet all
 * conditions. Its single row contains the number of deleted documents, for the first collection as `count0` and so on.
 *
 * @param discards each of another collection, because a statement cannot delete a row twice.
 */
export function discardAllStatement(
  { documents }: Tables,
  account: string,
  discards: readonly Extract<Change, { readonly do: 'discard-all' }>[],
): Statement {
  const { values, bind } = collectValues()
  const owner = bind(account)
  const parts = discards.map(({ collection, scope, where }, i) => {
    const tests = [`account = ${owner} and collection = ${bind(collection)}`, ...underScope(scope, bind)]
    return `discarded${i} as (delete from ${documents} where ${[...tests, allSql(where, bind)].join(' and ')} returning 1)`
  })
  const counts = parts.map((_, i) => `(select count(*)::float8 from discarded${i}) as count${i}`)
  return { text: `with ${parts.join(', ')} select ${counts.join(', ')}`, values, composed: true }
}

// In the key of documents, scopes come after the collection. When the collections are known (each costs one step down
// the index), a scope is a range of the index for each of them. Without them, the statement would read the whole
// account.
const anyCollection = 'collection = any(array(select collection from collections where collection is not null))'

function collectionsPart(documents: string, account: string): string {
  const firstAfter = (more: string) =>
    `(select collection from ${documents} where account = ${account}${more} order by collection limit 1)`
  return `collections(collection) as (
      ${firstAfter('')} union all
      select ${firstAfter(' and collection > collections.collection')} from collections where collections.collection is not null
    )`
}

/**
 * Returns the statement that locks the documents that a batch has preconditions on, whatever their versions. Another
 * batch that expects one of them cannot then add documents to a scope that this batch clears.
 */
export function lockStatement({ documents }: Tables, account: string, ids: readonly DocumentId[]): Statement {
  const { values, bind } = collectValues()
  const owner = bind(account)
  const columns = columnsOf(ids).map((column) => `${bind(column)}::text[]`)
  const text = `select 1 as locked from ${documents} d
    join unnest(${columns.join(', ')}) as t(collection, scope, key) using (collection, scope, key)
    where d.account = ${owner} order by collection, scope, key for update of d`
  return { text, values }
}
