import type { Condition, ListQuery } from '@halyard/core/storage'
import type { AccountTables } from '../schema/account-tables.ts'
import { bindAccount } from '../statements/account-binding.ts'
import type { Bind } from '../statements/bind.ts'
import { underScope } from '../statements/scope-ranges.ts'
import type { SelectStatement } from '../statements/select.ts'
import { allSql } from './conditions.ts'
import { indexedDeepList } from './deep-lists.ts'
import { indexedSql, isIndexed, listedSql } from './field-index.ts'
import { hasIndex, orderSql, type SortTerm, sortTerms } from './list-order.ts'

/**
 * Maximum number of documents in a scope that a filter tests one by one. Testing a document takes 1 µs; in a larger
 * scope, a search in the index of fields is faster.
 */
const smallScope = 5_000

/**
 * Maximum number of matches of a search that are sorted although an index has the order of the page. With more matches,
 * the page is read from that index, and each document is tested.
 */
const maxSortedMatches = 10_000

/**
 * Minimum offset of pages that are read backwards when the end of the list is nearer. A statement that can read from
 * both ends takes longer to plan.
 */
const minBackwardsOffset = 1_000

/** A list, and the parts of its statement. */
interface ListParts extends AccountTables {
  readonly list: ListQuery
  readonly bind: Bind
  /** The condition that documents are in the scope of the list, as SQL. */
  readonly inScope: string
  /** All conditions of the list, as SQL. */
  readonly where: string
}

/** Documents that a page can be read from. */
interface Source {
  /** Table and conditions, as SQL. */
  readonly from: string
  /** The condition on the columns of the part `counted` under which the page is read from this source. */
  readonly isRead: string
}

/** A direction in which a page can be read. */
interface Direction extends Pick<Source, 'isRead'> {
  readonly order: string
  readonly limit: string
  readonly offset: string
}

/** Returns the statement that reads one page of a collection, and its total when the query requests it. */
export function listStatement(accountTables: AccountTables, list: ListQuery): SelectStatement {
  const { owner, bind, values } = bindAccount(accountTables)
  const inScope = [
    `account = ${owner} and collection = ${bind(list.collection)}`,
    ...(list.deep ? underScope(list.scope, bind) : [`scope = ${bind(list.scope)}`]),
  ].join(' and ')
  const where = list.where?.length ? `${inScope} and ${allSql(list.where, bind)}` : inScope
  const parts: ListParts = { ...accountTables, list, bind, inScope, where }
  const columns = { key: 'text', scope: 'text', version: 'number', fields: 'text' } as const
  return {
    text: list.deep ? deepSql(parts) : scopeSql(parts),
    values,
    columns: {
      ...columns,
      ...(list.select === 'bodies' ? { body: 'text' as const } : {}),
      ...(list.count ? { total: 'number' as const } : {}),
    },
  }
}

/** Returns the query of a page of several scopes. */
function deepSql(parts: ListParts): string {
  const { tables, account, list, bind, where } = parts
  const { documents } = tables
  const indexed = indexedSql(parts, list, bind)
  const { parts: scopes, table } =
    indexed.length > 0
      ? indexedDeepList({ documents, account, list, where, indexed }, bind)
      : { parts: '', table: `${documents} where ${where}` }
  const { rows, terms, limit, offset } = pageParts(parts)
  const total = list.count ? `select count(*)::float8 as total from ${table}` : undefined
  const page = `${rows} from ${table} order by ${orderSql(terms)} limit ${limit} offset ${offset}`
  return `${scopes}${joinedSql(list, terms, { counted: total && `(${total})`, page })}`
}

/** Returns the query of a page of one scope. */
function scopeSql(parts: ListParts): string {
  const { list } = parts
  const search = searchSql(parts, parts.where)
  const counted = countedSql(parts, search)
  const sources = sourcesOf(parts, search)
  const { rows, terms, limit, offset } = pageParts(parts)
  const forwards: Direction = { order: orderSql(terms), limit, offset, isRead: 'true' }
  const isBackwards = list.count === true && (list.offset ?? 0) >= minBackwardsOffset
  const directions = isBackwards ? bothDirections(terms, forwards) : [forwards]
  if (sources.length === 1 && directions.length === 1) {
    const page = `${rows} from ${sources[0]?.from} order by ${forwards.order} limit ${limit} offset ${offset}`
    return joinedSql(list, terms, { counted: counted && `(${counted})`, page })
  }
  // A query with the limit 0 reads nothing.
  const pages = sources.flatMap(({ from, isRead }) =>
    directions.map(
      (direction) => `(${rows} from ${from} order by ${direction.order}
        limit (select case when ${isRead} and ${direction.isRead} then ${direction.limit} else 0 end from counted)
        offset (select ${direction.offset} from counted))`,
    ),
  )
  const joined = joinedSql(list, terms, { counted: 'counted', page: pages.join(' union all ') })
  return `with counted as materialized (${counted}) ${joined}`
}

/**
 * Returns the query of a page that is joined to its total, so that a total without documents is a row too. A join has
 * no order of its own, so the order is repeated.
 *
 * @param counted table with the total; undefined when the query requests no total.
 */
function joinedSql(
  { select, count }: ListQuery,
  terms: readonly SortTerm[],
  { counted, page }: { readonly counted: string | undefined; readonly page: string },
): string {
  const columns = [
    ...(count ? ['total'] : []),
    // Converted here, after the page was sorted: inside the page, a server would convert the fields of all documents
    // before it sorts them.
    ...['key', 'scope', 'version', 'fields::text as fields'],
    ...(select === 'bodies' ? ['body'] : []),
  ]
  const from = counted ? `${counted} as counts left join (${page}) as page on true` : `(${page}) as page`
  return `select ${columns.join(', ')} from ${from} order by ${orderSql(terms)}`
}

/** Returns the parts of the query of a page: the selected columns, the order, and the placeholders of its limits. */
function pageParts({ list, bind }: ListParts) {
  const { columns, terms } = sortTerms(list.order ?? [], bind)
  const bodies = list.select === 'bodies' ? ['body'] : []
  return {
    rows: `select ${['key', 'scope', 'version', 'fields', ...bodies, ...columns].join(', ')}`,
    terms,
    limit: `${bind(list.limit)}::bigint`,
    offset: `${bind(list.offset ?? 0)}::bigint`,
  }
}

/**
 * Returns the documents that the index of fields finds and that meet all conditions; undefined when the index cannot
 * answer the conditions of the list.
 *
 * The planner knows neither how many documents a search finds nor how long it takes to compute the terms of a document.
 * With all conditions in one query, it would compute the terms of each document of the scope. `offset 0` keeps the
 * conditions of the index in a query of their own.
 */
function searchSql(parts: ListParts, where: string): string | undefined {
  const { tables, list, bind } = parts
  const indexed = indexedSql(parts, list, bind)
  if (indexed.length === 0) return undefined
  return `(select * from ${tables.documents} where ${[...indexed, listedSql].join(' and ')} offset 0) as found
    where ${where}`
}

/**
 * Returns the query whose columns decide how a page is read: `total`, when the query requests it, and `is_large` for a
 * list that the index of fields can answer. Undefined for other lists.
 */
function countedSql(parts: ListParts, search: string | undefined): string | undefined {
  const { tables, list, inScope, where } = parts
  const countIn = (from: string) => `(select count(*) from ${from})`
  const inRange = countIn(`${tables.documents} where ${where}`)
  const first = `(select from ${tables.documents} where ${inScope} limit ${smallScope + 1}) as first`
  const isLarge = `select count(*) > ${smallScope} as is_large from ${first}`
  if (!list.count) return search && isLarge
  const inIndex = search ? countIn(search) : totalOfNegations(parts)
  if (!inIndex) return `select ${inRange}::float8 as total`
  return `select is_large, (case when is_large then ${inIndex} else ${inRange} end)::float8 as total from (${isLarge}) as size`
}

/**
 * Returns the total of a list whose conditions are all negations, such as the flags that are not archived. The total is
 * the number of all documents, for which the server reads only an index, minus the documents that the negations
 * exclude, which are usually few. Undefined for other lists.
 */
function totalOfNegations(parts: ListParts): string | undefined {
  const { tables, list, bind, inScope } = parts
  const { where = [] } = list
  const negated = where.flatMap((condition) => (condition.op === 'not' ? condition.condition : []))
  if (negated.length === 0 || negated.length < where.length) return undefined
  const isAnswered = (condition: Condition) =>
    comparesKey(condition) || isIndexed(parts, { ...list, where: [condition] })
  if (!negated.every(isAnswered)) return undefined
  const counts = [`(select count(*) from ${tables.documents} where ${inScope})`]
  for (const [index, condition] of negated.entries()) {
    // A document that several negations exclude is counted once.
    const leftOut = `${inScope} and ${allSql([condition, ...where.slice(0, index)], bind)}`
    const search = searchSql({ ...parts, list: { ...list, where: [condition] } }, leftOut)
    counts.push(`(select count(*) from ${search ?? `${tables.documents} where ${leftOut}`})`)
  }
  return `(${counts.join(' - ')})`
}

/** Returns true for a condition that the primary key can answer. */
function comparesKey(condition: Condition): boolean {
  return (condition.op === 'equals' || condition.op === 'anyOf') && condition.field === 'key'
}

/** Returns the sources of a page: the search of the index, when it can answer the list, and the range of the scope. */
function sourcesOf({ tables, list, where }: ListParts, search: string | undefined): readonly Source[] {
  const inRange = `${tables.documents} where ${where}`
  if (!search) return [{ from: inRange, isRead: 'true' }]
  const isFew = list.count && hasIndex(list.order ?? []) ? ` and total <= ${maxSortedMatches}` : ''
  const isSearched = `(is_large${isFew})`
  return [
    { from: search, isRead: isSearched },
    { from: inRange, isRead: `not ${isSearched}` },
  ]
}

/** Returns the directions of a page: from the start of its list, and from the end when that is nearer. */
function bothDirections(terms: readonly SortTerm[], { order, limit, offset }: Direction): readonly Direction[] {
  const isNearStart = `${offset} * 2 <= total`
  const rest = `greatest(total - ${offset}, 0)`
  return [
    { order, limit, offset, isRead: isNearStart },
    {
      order: orderSql(terms, true),
      limit: `least(${limit}, ${rest})`,
      offset: `greatest(${rest} - ${limit}, 0)`,
      isRead: `not ${isNearStart}`,
    },
  ]
}
