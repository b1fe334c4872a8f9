import {
  type Change,
  type CommitOutcome,
  type DocumentId,
  isUnder,
  type StoredRecord,
  taskBatch,
} from '@halyard/core/storage'
import type { AccountData } from './account-data.ts'
import { type Documents, findDocument } from './documents.ts'
import { isTaken } from './load.ts'

type Refusal = Exclude<CommitOutcome, { outcome: 'committed' }>

/**
 * Finds the first change of a batch whose precondition is false in the state that the changes before it leave. Writes
 * nothing, so a batch that passes can be applied without a way to undo it.
 */
export function findRefusal(data: AccountData, batch: readonly Change[]): Refusal | undefined {
  const versions = versionsAhead(data.documents)
  const queues = data.queues.byScope
  const tasks = taskBatch(({ name, scope }, task) => queues.find(name, scope)?.tasks.get(task)?.takes)
  const loaded = { met: new Set<string>(), cleared: [] as string[] }
  for (const [change, one] of batch.entries()) {
    if (one.do === 'clear') {
      versions.clear(one.scope)
      tasks.clear(one.scope)
      loaded.cleared.push(one.scope)
    }
    // Read once, because batches contain thousands of documents.
    const version = 'id' in one ? versions.of(one.id) : undefined
    const outcome = refusalAhead(one, version)
    if (outcome) return { outcome, change }
    if ('id' in one && one.do !== 'expect') versions.set(one.id, versionAfter(one, version))
  }
  return undefined

  function isThere(record: StoredRecord): boolean {
    if (record.kind !== 'document') return isTaken(data, record, loaded)
    const there = versions.of(record.id) !== undefined
    versions.set(record.id, record.version)
    return there
  }

  function refusalAhead(one: Change, version: number | undefined): Refusal['outcome'] | undefined {
    if (one.do === 'load') return one.records.some(isThere) ? 'exists' : undefined
    if ('queue' in one) return tasks.refusalOf(one)
    return 'id' in one ? refusalOf(one, version) : undefined
  }
}

type DocumentChange = Extract<Change, { id: DocumentId }>

function refusalOf(change: DocumentChange, version: number | undefined): Refusal['outcome'] | undefined {
  if (change.do === 'ensure' || change.do === 'discard') return undefined
  if (change.do === 'insert') return version === undefined ? undefined : 'exists'
  if (version === undefined) return 'missing'
  return version === change.version ? undefined : 'conflict'
}

function versionAfter(change: DocumentChange, version: number | undefined): number | undefined {
  if (change.do === 'insert') return 1
  if (change.do === 'ensure') return version ?? 1
  return change.do === 'replace' ? change.version + 1 : undefined
}

/** Returns the versions that documents will have after the changes checked so far. */
function versionsAhead(documents: Documents) {
  // By collection, scope and key: joining the three into one string for each of ten thousand documents would cost more
  // than everything else.
  const ahead = new Map<string, Map<string, Map<string, number | undefined>>>()
  const cleared: string[] = []
  return {
    of({ collection, scope, key }: DocumentId) {
      const planned = ahead.get(collection)?.get(scope)
      if (planned?.has(key)) return planned.get(key)
      if (cleared.some((ancestor) => isUnder(scope, ancestor))) return undefined
      return findDocument(documents, { collection, scope, key })?.version
    },
    set({ collection, scope, key }: DocumentId, version: number | undefined) {
      const scopes = ahead.get(collection) ?? new Map<string, Map<string, number | undefined>>()
      ahead.set(collection, scopes)
      const keys = scopes.get(scope) ?? new Map<string, number | undefined>()
      scopes.set(scope, keys)
      keys.set(key, version)
    },
    clear(ancestor: string) {
      cleared.push(ancestor)
      for (const scopes of ahead.values()) {
        for (const scope of scopes.keys()) if (isUnder(scope, ancestor)) scopes.delete(scope)
      }
    },
  }
}
