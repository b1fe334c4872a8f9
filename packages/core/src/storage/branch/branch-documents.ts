import type { Row } from '../adapter/row.ts'
import { allOf } from '../adapter/row-conditions.ts'
import { rowOrder } from '../adapter/row-order.ts'
import {
  type DocumentId,
  type DocumentPage,
  isUnder,
  type ListedDocument,
  type ListQuery,
  type StoredDocument,
} from '../port.ts'
import { documentOf } from './branch-rows.ts'
import { type BranchParts, type BranchState, branchStateId, isCleared, readState, stateIn } from './branch-state.ts'

/** Number of rows of a request for all rows. */
const allRows = 2 ** 31 - 1

/** Reads documents of a branch: documents that it has written, and other documents of the trunk. */
export async function getBranchDocuments(
  parts: BranchParts,
  ids: readonly DocumentId[],
): Promise<(StoredDocument | undefined)[]> {
  const [[state, ...rows], stored] = await Promise.all([
    parts.own.getMany([branchStateId, ...ids]),
    parts.trunk.getMany(ids),
  ])
  const current = stateIn(parts, state)
  return ids.map((id, index) => {
    const row = rows[index]
    if (row) return documentOf(row)
    return isCleared(current, id.scope) ? undefined : stored[index]
  })
}

/** Lists documents of a branch, as a storage that contains all of them would list them. */
export async function listBranchDocuments(parts: BranchParts, query: ListQuery): Promise<DocumentPage> {
  const { collection, scope, deep = false } = query
  const [state, { items }] = await Promise.all([
    readState(parts),
    parts.own.list({ collection, scope, deep, limit: allRows, select: 'bodies' }),
  ])
  const branchChanges = { touched: items, matching: matchingRows(items, query) }
  if (isCleared(state, scope)) return pageOf(query, branchChanges.matching, 0)
  const clearsBelow = deep && state.clearedScopes.some((cleared) => isUnder(cleared, scope))
  if (items.length === 0 && !clearsBelow) return parts.trunk.list(query)
  return deep ? listUnder(parts, query, state, branchChanges) : listScope(parts, query, branchChanges)
}

/** The rows of a branch in the scope of a list. */
interface OwnRows {
  readonly touched: readonly ListedDocument[]
  /** The rows that the list includes, as documents. */
  readonly matching: readonly ListedDocument[]
}

function matchingRows(items: readonly ListedDocument[], { where = [], select }: ListQuery): ListedDocument[] {
  const includes = allOf(where)
  return items.flatMap((item) => {
    const document = documentOf(item)
    if (!document || !includes({ document, fields: item.fields })) return []
    return [{ ...document, fields: item.fields, body: select === 'bodies' ? document.body : undefined }]
  })
}

/**
 * Lists one scope. Documents that the branch has written are excluded from the list of the trunk. A row of the trunk
 * can come after every matching row of the branch, so the trunk skips that many rows fewer than `offset`.
 */
async function listScope(
  { trunk }: BranchParts,
  query: ListQuery,
  { touched, matching }: OwnRows,
): Promise<DocumentPage> {
  const { where = [], offset = 0, limit } = query
  const start = Math.max(0, offset - matching.length)
  const written = { op: 'anyOf', field: 'key', values: touched.map(({ key }) => key) } as const
  const { items, total } = await trunk.list({
    ...query,
    where: [...where, { op: 'not', condition: written }],
    offset: start,
    limit: limit === 0 ? 0 : offset + limit - start,
  })
  const page = pageOf({ ...query, offset: offset - start }, [...items, ...matching], 0)
  return { items: page.items, total: total === undefined ? undefined : total + matching.length }
}

/** Lists a scope with those under it. No condition selects scopes, so all rows of the trunk are read. */
async function listUnder(
  { trunk }: BranchParts,
  query: ListQuery,
  state: BranchState,
  { touched, matching }: OwnRows,
): Promise<DocumentPage> {
  const { items } = await trunk.list({ ...query, offset: 0, limit: allRows, count: false })
  const written = new Set(touched.map(nameOf))
  const unchanged = items.filter((item) => !written.has(nameOf(item)) && !isCleared(state, item.scope))
  const all = [...unchanged, ...matching]
  return pageOf(query, all, all.length)
}

/** Sorts rows and returns a page of them. */
function pageOf(
  { order = [], offset = 0, limit, count }: ListQuery,
  rows: readonly ListedDocument[],
  total: number,
): DocumentPage {
  const { read, compare } = rowOrder(order)
  const sorted = rows
    .map((item) => ({ item, sorted: read({ document: item, fields: item.fields } satisfies Row) }))
    .sort((a, b) => compare(a.sorted, b.sorted))
  const items = sorted.slice(offset, offset + limit).map(({ item }) => item)
  return { items, total: count ? Math.max(total, rows.length) : undefined }
}

function nameOf({ scope, key }: Pick<ListedDocument, 'scope' | 'key'>): string {
  return JSON.stringify([scope, key])
}
