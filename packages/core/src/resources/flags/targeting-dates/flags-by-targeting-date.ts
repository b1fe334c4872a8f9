import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import { type Flag, flags } from '../../../models/flags/flag.ts'
import { flagConfigs } from '../../../models/flags/flag-config.ts'
import type { PageQuery } from '../../../operation/link.ts'
import { compareCodePoints } from '../../../storage/code-point-order.ts'
import type { Condition } from '../../../storage/port.ts'
import type { ListResult, Reader, Row } from '../../../storage/reader.ts'
import { type DatedKey, maxRowsInParts, type ReadPart, RowsFromEnd } from './rows-from-end.ts'

const noLimit = Number.MAX_SAFE_INTEGER

/** The flags of a list, and its direction. */
interface DatedSelection {
  readonly where: readonly Condition[]
  readonly descending: boolean
}

type CompareDates = (a: DatedKey, b: DatedKey) => number

/**
 * Returns a page of flags by the time of the last change of their configuration in an environment; the time of creation
 * for a configuration that was never changed, which is not stored. Ties are broken by key.
 *
 * The two times are orders of two collections. A page near an end of the list is merged from rows near the ends of both
 * orders. For other pages, the narrow rows of all flags that match, and of the environment, are read and sorted.
 */
export async function flagsByTargetingDate(
  tx: Reader,
  keys: EnvironmentKeys,
  selection: DatedSelection,
  { limit, offset }: PageQuery,
): Promise<ListResult<Flag>> {
  const { projectKey } = keys
  const { total } = await tx.listRows(flags, { projectKey }, { where: selection.where, limit: 1 })
  const sign = selection.descending ? -1 : 1
  const compare: CompareDates = (a, b) => sign * (a.at - b.at) || compareCodePoints(a.key, b.key)
  const page =
    (await pageFromEnd(tx, keys, selection, { compare, total, offset, limit })) ??
    (await datesOf(tx, keys, selection)).sort(compare).slice(offset, offset + limit)
  const items = await tx.getMany(
    flags,
    page.map(({ key: flagKey }) => ({ projectKey, flagKey })),
  )
  return { items: items.filter((flag) => flag !== undefined), total }
}

/** Reads the dates of all flags that match, in no particular order. */
async function datesOf(
  tx: Reader,
  { projectKey, environmentKey }: EnvironmentKeys,
  { where }: DatedSelection,
): Promise<DatedKey[]> {
  const [rows, configs] = await Promise.all([
    tx.listRows(flags, { projectKey }, { where, limit: noLimit }),
    tx.listRows(flagConfigs, { projectKey, environmentKey }, { limit: noLimit }),
  ])
  const changedAt = new Map(configs.items.map(({ key, fields }) => [key, fields.lastModified as number]))
  return rows.items.map(({ key, fields }) => ({ key, at: changedAt.get(key) ?? (fields.createdAt as number) }))
}

interface DatedPage extends PageQuery {
  readonly compare: CompareDates
  /** Number of flags that match. */
  readonly total: number
}

/**
 * Reads a page of the list from the nearer end of the list.
 *
 * @returns undefined when the end is too far away, or when the rows have changed while they were read.
 */
async function pageFromEnd(
  tx: Reader,
  keys: EnvironmentKeys,
  selection: DatedSelection,
  { compare, total, offset, limit }: DatedPage,
): Promise<readonly DatedKey[] | undefined> {
  const backwards = offset > total / 2
  const count = backwards ? Math.max(0, total - offset) : Math.min(offset + limit, total)
  if (count > maxRowsInParts) return undefined
  const changed = new RowsFromEnd(changedFlags(tx, keys, selection), backwards)
  const unchanged = new RowsFromEnd(unchangedFlags(tx, keys, selection), backwards)
  const sources = (await haveAllConfigs(tx, keys)) ? [changed] : [changed, unchanged]
  const dated = new Map<string, DatedKey>()
  while (dated.size < count) {
    const next = await takeFirst(sources, backwards ? (a, b) => compare(b, a) : compare)
    if (!next) return undefined
    dated.set(next.key, next)
  }
  const nearest = [...dated.values()]
  return backwards ? nearest.reverse().slice(0, limit) : nearest.slice(offset)
}

/** Returns true when each flag has a stored configuration. Each stored configuration belongs to one flag. */
async function haveAllConfigs(tx: Reader, { projectKey, environmentKey }: EnvironmentKeys): Promise<boolean> {
  const [all, configs] = await Promise.all([
    tx.listRows(flags, { projectKey }, { limit: 1 }),
    tx.listRows(flagConfigs, { projectKey, environmentKey }, { limit: 1 }),
  ])
  return all.total === configs.total
}

/** Takes the first item of all sources; undefined when they are empty, or when one of them gave up. */
async function takeFirst(sources: readonly RowsFromEnd[], compare: CompareDates): Promise<DatedKey | undefined> {
  for (;;) {
    const first = firstOf(sources, compare)
    const item = first?.take()
    if (item || !first) return item
    await first.readPart()
    if (first.gaveUp) return undefined
  }
}

/** Returns the source with the first position, or one that was not read; undefined when all are empty. */
function firstOf(sources: readonly RowsFromEnd[], compare: CompareDates): RowsFromEnd | undefined {
  let first: RowsFromEnd | undefined
  for (const source of sources) {
    if (source.isEmpty) continue
    if (!source.position) return source
    if (!first?.position || compare(source.position, first.position) < 0) first = source
  }
  return first
}

/** Reads flags by the last change of their stored configuration. */
function changedFlags(
  tx: Reader,
  { projectKey, environmentKey }: EnvironmentKeys,
  { where, descending }: DatedSelection,
): ReadPart {
  return async (part) => {
    const order = [{ field: 'lastModified', type: 'number', descending }] as const
    const { items, total } = await tx.listRows(flagConfigs, { projectKey, environmentKey }, { order, ...part })
    const matching = await tx.listRows(flags, { projectKey }, { where: [...where, withKeyOf(items)], limit: noLimit })
    const matchingKeys = new Set(matching.items.map(({ key }) => key))
    const rows = items.map(({ key, fields }) => ({ key, at: fields.lastModified as number }))
    return { rows, items: rows.filter(({ key }) => matchingKeys.has(key)), total }
  }
}

/** Reads flags without a stored configuration by their creation. */
function unchangedFlags(
  tx: Reader,
  { projectKey, environmentKey }: EnvironmentKeys,
  { where, descending }: DatedSelection,
): ReadPart {
  return async (part) => {
    const order = [{ field: 'createdAt', type: 'number', descending }] as const
    const { items, total } = await tx.listRows(flags, { projectKey }, { where, order, ...part })
    const stored = { where: [withKeyOf(items)], limit: noLimit }
    const changed = await tx.listRows(flagConfigs, { projectKey, environmentKey }, stored)
    const changedKeys = new Set(changed.items.map(({ key }) => key))
    const rows = items.map(({ key, fields }) => ({ key, at: fields.createdAt as number }))
    return { rows, items: rows.filter(({ key }) => !changedKeys.has(key)), total }
  }
}

function withKeyOf(rows: readonly Row[]): Condition {
  return { op: 'anyOf', field: 'key', values: rows.map(({ key }) => key) }
}
