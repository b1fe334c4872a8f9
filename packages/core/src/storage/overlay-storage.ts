import { allKeys } from './all-keys.ts'
import { compareCodePoints } from './code-point-order.ts'
import { DocumentMap } from './document-map.ts'
import { listAfterChanges, type WholeCollection } from './list-after-changes.ts'
import {
  type AccountStorage,
  type Change,
  type CommitOutcome,
  type DocumentId,
  type DocumentPage,
  type Fields,
  isUnder,
  type SetId,
  type StoredDocument,
} from './port.ts'

/** A storage that records commits without storing them. */
export interface OverlayStorage {
  /** Reads the stored data, and records commits. */
  readonly storage: AccountStorage
  /** The committed changes, in order. */
  readonly changes: readonly Change[]
  /** Documents and sets as they would be after these changes. */
  readonly after: AfterChanges
  /** Resolves with true when all documents still have the versions that the commits require. */
  isCurrent(): Promise<boolean>
}

export interface AfterChanges extends Pick<AccountStorage, 'get' | 'getMany' | 'findKeys' | 'pageKeys'> {
  /** Lists a whole collection, in no particular order. */
  list(query: WholeCollection): Promise<DocumentPage>
}

/**
 * Wraps a storage so that commits are recorded and not stored: operations run on it as on any storage, and change
 * nothing.
 *
 * Reads return the stored data, as they do for a unit of work until its commit; `after` returns the data as they would
 * be after the commits. `take` returns no tasks, since a lease is a change.
 *
 * @param stored storage to read from.
 * @param outcomeOf returns the outcome of all changes so far. Default: every commit succeeds with counts of 0; the
 *   caller then checks `isCurrent` itself.
 */
export function overlayStorage(
  stored: AccountStorage,
  outcomeOf: (stored: AccountStorage, changes: readonly Change[]) => Promise<CommitOutcome> = everySucceeds,
): OverlayStorage {
  const changes: Change[] = []
  const getMany = async (ids: readonly DocumentId[]) => {
    const documents = await stored.getMany(ids)
    return ids.map((id, index) => documentAfter(changes, id, documents[index]))
  }
  return {
    storage: {
      get: (id) => stored.get(id),
      getMany: (ids) => stored.getMany(ids),
      list: (query) => stored.list(query),
      hasKey: (set, key) => stored.hasKey(set, key),
      findKeys: (set, elements) => stored.findKeys(set, elements),
      countKeys: (set, without) => stored.countKeys(set, without),
      pageKeys: (set, page) => stored.pageKeys(set, page),
      scan: (query) => stored.scan(query),
      newest: (query) => stored.newest(query),
      ...(stored.findSamples && { findSamples: stored.findSamples.bind(stored) }),
      listTasks: (queue, page) => stored.listTasks(queue, page),
      dump: () => stored.dump(),
      take: async () => [],
      async commit(batch) {
        const earlier = changes.length
        const outcome = await outcomeOf(stored, [...changes, ...batch])
        if (outcome.outcome !== 'committed') return { ...outcome, change: outcome.change - earlier }
        changes.push(...batch)
        return { ...outcome, counts: outcome.counts.slice(earlier) }
      },
    },
    changes,
    after: {
      get: async (id) => (await getMany([id]))[0],
      getMany,
      list: (query) => listAfterChanges(stored, changes, query, (id, before) => documentAfter(changes, id, before)),
      findKeys: async (set, elements) => [...(await keysAfter(stored, changes, { set, requested: elements }))],
      pageKeys: pagesAfter(stored, changes),
    },
    isCurrent: () => areVersionsCurrent(stored, changes),
  }
}

async function everySucceeds(_: AccountStorage, changes: readonly Change[]): Promise<CommitOutcome> {
  return { outcome: 'committed', counts: changes.map(() => 0) }
}

/** Applies, in order, the changes of a document. */
function documentAfter<D extends StoredDocument>(
  changes: readonly Change[],
  id: DocumentId,
  before: D | undefined,
): D | ChangedDocument | undefined {
  let document: D | ChangedDocument | undefined = before
  for (const change of changes) {
    if (change.do === 'clear' && isUnder(id.scope, change.scope)) document = undefined
    if (!('id' in change) || !isSameId(change.id, id)) continue
    if (change.do === 'remove' || change.do === 'discard') document = undefined
    if (change.do === 'replace') document = documentOf(change, change.version + 1)
    if (change.do === 'insert' || (change.do === 'ensure' && !document)) document = documentOf(change, 1)
  }
  return document
}

interface ChangedDocument extends StoredDocument {
  readonly fields: Fields
}

function documentOf(
  { id, body, fields }: { readonly id: DocumentId; readonly body: unknown; readonly fields: Fields },
  version: number,
): ChangedDocument {
  return { key: id.key, scope: id.scope, version, body, fields }
}

function isSameId(a: DocumentId, b: DocumentId): boolean {
  return a.key === b.key && a.scope === b.scope && a.collection === b.collection
}

/** Makes the function that pages through a set after all changes. A changed set is computed once, as a whole. */
function pagesAfter(stored: AccountStorage, changes: readonly Change[]): AccountStorage['pageKeys'] {
  const computed = new Map<string, Promise<readonly string[]>>()
  return async (set, { after, limit }) => {
    const id = `${changes.length} ${set.name} ${set.scope}`
    if (!computed.has(id))
      computed.set(
        id,
        keysAfter(stored, changes, { set, requested: 'all' }).then((keys) => [...keys].sort(compareCodePoints)),
      )
    const keys = (await computed.get(id)) as readonly string[]
    const start = after === undefined ? 0 : keys.findIndex((key) => compareCodePoints(key, after) > 0)
    return start < 0 ? [] : keys.slice(start, start + limit)
  }
}

/** A set, and the keys that are requested of it. */
export interface RequestedKeys {
  readonly set: SetId
  readonly requested: readonly string[] | 'all'
}

/**
 * Returns which of the requested keys a set has after all changes; keys that are moved are looked up in their source.
 */
export async function keysAfter(
  stored: AccountStorage,
  changes: readonly Change[],
  { set, requested }: RequestedKeys,
): Promise<Set<string>> {
  let present = new Set(
    await (requested === 'all' ? allKeys((page) => stored.pageKeys(set, page)) : stored.findKeys(set, requested)),
  )
  const only = requested === 'all' ? undefined : new Set(requested)
  for (const [index, change] of changes.entries()) {
    if (change.do === 'clear' && isUnder(set.scope, change.scope)) present = new Set()
    if (change.do === 'add-keys' && isSameSet(change.set, set)) {
      for (const key of change.keys) if (!only || only.has(key)) present.add(key)
    }
    if (change.do === 'remove-keys' && isSameSet(change.set, set)) for (const key of change.keys) present.delete(key)
    if (change.do !== 'move-keys') continue
    if (isSameSet(change.into, set)) {
      const moved = await keysAfter(stored, changes.slice(0, index), { set: change.from, requested })
      present = change.replace ? moved : new Set([...present, ...moved])
    } else if (isSameSet(change.from, set)) present = new Set()
  }
  return present
}

function isSameSet(a: SetId, b: SetId): boolean {
  return a.name === b.name && a.scope === b.scope
}

/**
 * Reads again every document of which a change requires a version; if several changes concern one document, the first
 * one counts.
 */
async function areVersionsCurrent(stored: AccountStorage, changes: readonly Change[]): Promise<boolean> {
  const checked = new DocumentMap<true>()
  const expected: { readonly id: DocumentId; readonly version: number }[] = []
  for (const change of changes) {
    const version = change.do === 'insert' ? 0 : 'version' in change ? change.version : undefined
    if (!('id' in change) || version === undefined || checked.has(change.id)) continue
    checked.set(change.id, true)
    expected.push({ id: change.id, version })
  }
  if (expected.length === 0) return true
  const documents = await stored.getMany(expected.map(({ id }) => id))
  return expected.every(({ version }, index) => (documents[index]?.version ?? 0) === version)
}
