import * as v from 'valibot'
import type { Condition, Order } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { type Deployment, deployments } from './deployment.ts'
import { stateOf } from './deployment-history.ts'

/** A place in the list of deployments, newest first: where this start and id belong, also when nothing is there. */
export interface Cursor {
  readonly at: number
  readonly id: string
}

/** A cursor in a query, as `cursorOf` writes it. */
export const cursor = () =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,16}_[0-9a-f-]{36}$/, 'must be a cursor from a link'),
    v.transform((text): Cursor => {
      const [at, id] = text.split('_') as [string, string]
      return { at: Number(at), id }
    }),
  )

export function cursorOf({ id, history }: Deployment): string {
  return `${stateOf(history).startedAt}_${id}`
}

export interface CursorQuery {
  readonly limit: number
  readonly after?: Cursor
  readonly before?: Cursor
}

export interface CursorPage {
  /** Newest first. */
  readonly items: readonly Deployment[]
  /** Whether there are more beyond the end towards which was looked. */
  readonly more: boolean
}

/** How many deployments of an environment may start in one millisecond and still be paged one by one. */
const mostTies = 1000

/** The page after a cursor (older), before it (newer), or the newest. */
export async function cursorPage(
  tx: Reader,
  place: { readonly projectKey: string; readonly environmentKey: string },
  where: readonly Condition[],
  { limit, after, before }: CursorQuery,
): Promise<CursorPage> {
  const older = before === undefined
  const order: Order[] = [
    { field: 'startedAt', type: 'number', descending: older },
    { field: 'key', type: 'text', descending: !older },
  ]
  const find = async (condition: Condition[], most: number) =>
    (await tx.list(deployments, place, { where: [...where, ...condition], order, limit: most })).items
  const found = await beyond(after ?? before, older, find, limit + 1)
  const items = found.slice(0, limit)
  return { items: older ? items : items.reverse(), more: found.length > limit }
}

type Find = (condition: Condition[], most: number) => Promise<readonly Deployment[]>

/** Those that started with the cursor's own are asked for apart: storage compares numbers, not numbers and keys. */
async function beyond(edge: Cursor | undefined, older: boolean, find: Find, most: number): Promise<Deployment[]> {
  if (!edge) return [...(await find([], most))]
  const [ties, rest] = await Promise.all([
    find([{ op: 'equals', field: 'startedAt', value: edge.at }], mostTies),
    find([{ op: 'range', field: 'startedAt', ...(older ? { to: edge.at } : { from: edge.at + 1 }) }], most),
  ])
  return [...ties.filter(({ id }) => (older ? id > edge.id : id < edge.id)), ...rest]
}
