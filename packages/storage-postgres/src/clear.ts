import type { Change, DocumentId } from '@halyard/core/storage'
import { collectValues } from './bind.ts'
import { allSql } from './conditions.ts'
import { columnsOf, stretchesUnder, underScope } from './documents.ts'
import { removeSamplesParts } from './sample-changes.ts'
import type { Statement } from './sql-driver.ts'
import type { Tables } from './tables.ts'

/**
 * The statement that removes every document, member, sample and task at and under some scopes, none of which is under
 * another. Its one row says how many they were, for the first scope as `count0` and so on.
 */
export function clearStatement(tables: Tables, account: string, scopes: readonly string[]): Statement {
  const { documents, members, tasks, openings } = tables
  const { values, bind } = collectValues()
  const owner = bind(account)
  const stretches = scopes.map((scope) => (scope === '' ? ['true'] : stretchesUnder(scope, bind)))
  const where = `account = ${owner} and (${stretches.flat().join(' or ')})`
  const rows = ['members', 'removed', 'tasks']
  // Of documents each stretch is removed by itself: with an `or` of all the planner goes through the whole account.
  const removed = stretches.flatMap((those, i) => {
    return those.map((stretch, n) => ({ i, name: `documents${i}${n === 0 ? '' : 'under'}`, stretch }))
  })
  const parts = removed.map(
    ({ name, stretch }) => `${name} as (
      delete from ${documents} where account = ${owner} and ${stretch} and ${anyCollection} returning 1
    )`,
  )
  const counts = stretches.map((those, i) => {
    const counted = [
      ...removed.filter((one) => one.i === i).map(({ name }) => `(select count(*) from ${name})`),
      ...rows.map((name) => `(select count(*) from ${name} where ${those.join(' or ')})`),
    ]
    return `(${counted.join(' + ')})::float8 as count${i}`
  })
  const text = `with recursive ${collectionsOf(documents, owner)}, ${parts.join(', ')},
    members as (delete from ${members} where ${where} returning scope),
    ${removeSamplesParts(tables, where)},
    closed as (delete from ${openings} where ${where}),
    tasks as (delete from ${tasks} where ${where} returning scope)
    select ${counts.join(', ')}`
  // Under the scope of the account lies every other one, so that it is alone.
  const shape = scopes.includes('') ? 'all' : scopes.length
  return { name: `clear ${shape} ${tables.schema}`, text, values }
}

/**
 * Wakes the tasks at and under scopes that were cleared: those that somebody has added meanwhile, as what they waited
 * for may be gone.
 */
export function wakeStatement({ tasks }: Tables, account: string, scopes: readonly string[]): Statement {
  const { values, bind } = collectValues()
  const owner = bind(account)
  const under = scopes.map((scope) => underScope(scope, bind)[0] ?? 'true')
  return {
    text: `update ${tasks} set asleep = false where account = ${owner} and asleep and (${under.join(' or ')})`,
    values,
  }
}

/** The statement that removes the documents of one collection, at and under a scope, for which all conditions hold. */
export function discardAllStatement(
  { documents }: Tables,
  account: string,
  { collection, scope, where }: Extract<Change, { readonly do: 'discard-all' }>,
): Statement {
  const { values, bind } = collectValues()
  const tests = [`account = ${bind(account)} and collection = ${bind(collection)}`, ...underScope(scope, bind)]
  return { text: `delete from ${documents} where ${[...tests, allSql(where, bind)].join(' and ')}`, values }
}

// Scopes come after the collection in the key of documents. With the collections in hand (one step down the index for
// each) a scope is still a stretch of it for each of them; without them it would be all of the account.
const anyCollection = 'collection = any(array(select collection from collections where collection is not null))'

function collectionsOf(documents: string, account: string): string {
  const first = (more: string) =>
    `(select collection from ${documents} where account = ${account}${more} order by collection limit 1)`
  return `collections(collection) as (
      ${first('')} union all
      select ${first(' and collection > collections.collection')} from collections where collections.collection is not null
    )`
}

/**
 * Locks the documents that a batch has preconditions on, whatever their versions. What is cleared afterwards can then
 * not be added to by another batch that expects one of them.
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
