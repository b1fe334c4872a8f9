import { byPlace } from './by-place.ts'
import { type AccountStorage, type Change, type DocumentId, isUnder, type SetId, type StoredDocument } from './port.ts'

/** A storage of which nothing is ever changed: what is committed to it is kept beside it. */
export interface Uncommitted {
  /** Reads what is stored, and takes commits that come to nothing. */
  readonly storage: AccountStorage
  /** What was committed, in order. */
  readonly changes: readonly Change[]
  /** Documents and members as they would be after these changes. */
  readonly after: AfterChanges
  /** Whether all documents are still as the commits took them to be. */
  holds(): Promise<boolean>
}

export type AfterChanges = Pick<AccountStorage, 'getMany' | 'findMembers'>

/**
 * Puts a storage behind glass: commands run on it as on any other, and leave no trace.
 *
 * Reads go on seeing what is stored, as they do for a unit of work until its commit; what would be there afterwards is
 * asked of `after`. Tasks are not handed out, since to take one is a change.
 *
 * @param stored what is read.
 */
export function uncommitted(stored: AccountStorage): Uncommitted {
  const changes: Change[] = []
  return {
    storage: {
      get: (id) => stored.get(id),
      getMany: (ids) => stored.getMany(ids),
      list: (query) => stored.list(query),
      hasMember: (set, member) => stored.hasMember(set, member),
      findMembers: (set, members) => stored.findMembers(set, members),
      countMembers: (set, without) => stored.countMembers(set, without),
      pageMembers: (set, page) => stored.pageMembers(set, page),
      scan: (query) => stored.scan(query),
      newest: (query) => stored.newest(query),
      listTasks: (queue, page) => stored.listTasks(queue, page),
      dump: () => stored.dump(),
      take: async () => [],
      async commit(batch) {
        changes.push(...batch)
        return { outcome: 'committed', counts: batch.map(() => 0) }
      },
    },
    changes,
    after: {
      async getMany(ids) {
        const found = await stored.getMany(ids)
        return ids.map((id, at) => documentAfter(changes, id, found[at]))
      },
      findMembers: async (set, members) => [...(await membersAfter(stored, changes, set, members))],
    },
    holds: () => stillHold(stored, changes),
  }
}

/** The last change that is about a document says what becomes of it. */
function documentAfter(
  changes: readonly Change[],
  id: DocumentId,
  before: StoredDocument | undefined,
): StoredDocument | undefined {
  let document = before
  for (const change of changes) {
    if (change.do === 'clear' && isUnder(id.scope, change.scope)) document = undefined
    if (!('id' in change) || !isSameId(change.id, id)) continue
    if (change.do === 'remove' || change.do === 'discard') document = undefined
    if (change.do === 'replace') document = documentOf(change, change.version + 1)
    if (change.do === 'insert' || (change.do === 'ensure' && !document)) document = documentOf(change, 1)
  }
  return document
}

function documentOf({ id, body }: { readonly id: DocumentId; readonly body: unknown }, version: number) {
  return { key: id.key, scope: id.scope, version, body }
}

function isSameId(a: DocumentId, b: DocumentId): boolean {
  return a.key === b.key && a.scope === b.scope && a.collection === b.collection
}

/** Which of these a set has after all changes; what is moved is asked of the set that it came from. */
async function membersAfter(
  stored: AccountStorage,
  changes: readonly Change[],
  set: SetId,
  asked: readonly string[],
): Promise<Set<string>> {
  let found = new Set(await stored.findMembers(set, asked))
  const wanted = new Set(asked)
  for (const [at, change] of changes.entries()) {
    if (change.do === 'clear' && isUnder(set.scope, change.scope)) found = new Set()
    if (change.do === 'add-members' && isSameSet(change.set, set)) {
      for (const one of change.members) if (wanted.has(one)) found.add(one)
    }
    if (change.do === 'remove-members' && isSameSet(change.set, set))
      for (const one of change.members) found.delete(one)
    if (change.do !== 'move-members') continue
    if (isSameSet(change.into, set)) {
      const moved = await membersAfter(stored, changes.slice(0, at), change.from, asked)
      found = change.replace ? moved : new Set([...found, ...moved])
    } else if (isSameSet(change.from, set)) found = new Set()
  }
  return found
}

function isSameSet(a: SetId, b: SetId): boolean {
  return a.name === b.name && a.scope === b.scope
}

/** Asks again for every document that a change names by version; of several changes of one the first counts. */
async function stillHold(stored: AccountStorage, changes: readonly Change[]): Promise<boolean> {
  const known = byPlace<true>()
  const expected: { readonly id: DocumentId; readonly version: number }[] = []
  for (const change of changes) {
    const version = change.do === 'insert' ? 0 : 'version' in change ? change.version : undefined
    if (!('id' in change) || version === undefined || known.has(change.id)) continue
    known.set(change.id, true)
    expected.push({ id: change.id, version })
  }
  if (expected.length === 0) return true
  const found = await stored.getMany(expected.map(({ id }) => id))
  return expected.every(({ version }, at) => (found[at]?.version ?? 0) === version)
}
