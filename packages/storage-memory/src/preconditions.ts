import {
  type Change,
  type CommitOutcome,
  type DocumentId,
  isUnder,
  type StoredRecord,
  taskBatch,
} from '@halyard/core/storage'
import type { AccountData } from './account-data.ts'
import type { Documents } from './documents.ts'
import { isTaken } from './load.ts'

type Refusal = Exclude<CommitOutcome, { outcome: 'committed' }>

/**
 * Finds the first change of a batch whose precondition is false in the state that the changes before it leave. Writes
 * nothing, so a batch that passes can be applied without a way to undo it.
 */
export function findRefusal(data: AccountData, batch: readonly Change[]): Refusal | undefined {
  const versions = createVersionOverlay(data.documents)
  const queues = data.queues.byScope
  // Most batches change no task.
  const tasks = batch.some((item) => 'queue' in item)
    ? taskBatch(({ name, scope }, task) => queues.find(name, scope)?.tasks.get(task)?.takes)
    : undefined
  const loadState = { seen: new Set<string>(), cleared: [] as string[] }
  for (const [change, item] of batch.entries()) {
    if (item.do === 'clear') {
      versions.clear(item.scope)
      tasks?.clear(item.scope)
      loadState.cleared.push(item.scope)
    }
    // Read once, because batches contain thousands of documents.
    const version = 'id' in item ? versions.of(item.id) : undefined
    const outcome = refusalOfNext(item, version)
    if (outcome) return { outcome, change }
    if ('id' in item && item.do !== 'expect') versions.set(item.id, versionAfter(item, version))
  }
  return undefined

  function exists(record: StoredRecord): boolean {
    if (record.kind !== 'document') return isTaken(data, record, loadState)
    const isStored = versions.of(record.id) !== undefined
    versions.set(record.id, record.version)
    return isStored
  }

  function refusalOfNext(item: Change, version: number | undefined): Refusal['outcome'] | undefined {
    if (item.do === 'load') return item.records.some(exists) ? 'exists' : undefined
    if ('queue' in item) return tasks?.refusalOf(item)
    return 'id' in item ? refusalOf(item, version) : undefined
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
function createVersionOverlay(documents: Documents) {
  // By collection, scope and key: joining the three into one string for each of ten thousand documents would cost more
  // than everything else.
  const changed = new Map<string, Map<string, Map<string, number | undefined>>>()
  const cleared: string[] = []
  return {
    of({ collection, scope, key }: DocumentId) {
      const planned = changed.get(collection)?.get(scope)
      if (planned?.has(key)) return planned.get(key)
      if (cleared.some((ancestor) => isUnder(scope, ancestor))) return undefined
      return documents.find({ collection, scope, key })?.version
    },
    set({ collection, scope, key }: DocumentId, version: number | undefined) {
      const scopes = changed.get(collection) ?? new Map<string, Map<string, number | undefined>>()
      changed.set(collection, scopes)
      const keys = scopes.get(scope) ?? new Map<string, number | undefined>()
      scopes.set(scope, keys)
      keys.set(key, version)
    },
    clear(ancestor: string) {
      cleared.push(ancestor)
      for (const scopes of changed.values()) {
        for (const scope of scopes.keys()) if (isUnder(scope, ancestor)) scopes.delete(scope)
      }
    },
  }
}
