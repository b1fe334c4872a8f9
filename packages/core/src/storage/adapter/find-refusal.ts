import { type Change, type CommitOutcome, type DocumentId, isUnder, type QueueId, type StoredRecord } from '../port.ts'
import { type TaskChange, taskChangeChecker } from '../task-change-checker.ts'

/** A change, or an expectation, of one document. */
export type DocumentChange = Extract<Change, { readonly id: DocumentId }>

/** Tests whether a change concerns one document. */
export function isDocumentChange(change: Change): change is DocumentChange {
  return 'id' in change
}

/** Tests whether a change concerns tasks. */
export function isTaskChange(change: Change): change is TaskChange {
  return 'queue' in change
}

/** The outcome of a commit that wrote nothing. */
export type RefusedOutcome = Exclude<CommitOutcome, { outcome: 'committed' }>

/** A record that is not a document. */
export type OtherRecord = Exclude<StoredRecord, { readonly kind: 'document' }>

/** The part of the state before a batch that its preconditions depend on. */
export interface StoredState {
  /** Returns the version of a document; undefined when the document does not exist. */
  versionOf(id: DocumentId): number | undefined
  /** Returns how often a task has been taken; undefined when the task does not exist. */
  takesOf(queue: QueueId, task: string): number | undefined
  /** Returns true when a record that a `load` would store exists. */
  contains(record: OtherRecord): boolean
}

/**
 * Finds the first change of a batch whose precondition is false in the state that the changes before it leave. Writes
 * nothing, so a batch that passes can be applied without a way to undo it.
 */
export function findRefusal(stored: StoredState, batch: readonly Change[]): RefusedOutcome | undefined {
  const versions = createVersionOverlay(stored)
  // Most batches change no task.
  const tasks = batch.some(isTaskChange) ? taskChangeChecker(stored.takesOf) : undefined
  const loaded = createLoadedRecords(stored)
  for (const [change, item] of batch.entries()) {
    if (item.do === 'clear') for (const part of [versions, tasks, loaded]) part?.clear(item.scope)
    // Read once, because batches contain thousands of documents.
    const version = isDocumentChange(item) ? versions.of(item.id) : undefined
    const outcome = refusalOfNext(item, version)
    if (outcome) return { outcome, change }
    if (isDocumentChange(item) && item.do !== 'expect') versions.set(item.id, versionAfter(item, version))
  }
  return undefined

  function exists(record: StoredRecord): boolean {
    if (record.kind !== 'document') return loaded.add(record)
    const isStored = versions.of(record.id) !== undefined
    versions.set(record.id, record.version)
    return isStored
  }

  function refusalOfNext(item: Change, version: number | undefined): RefusedOutcome['outcome'] | undefined {
    if (item.do === 'load') return item.records.some(exists) ? 'exists' : undefined
    if (isTaskChange(item)) return tasks?.refusalOf(item)
    return isDocumentChange(item) ? refusalOf(item, version) : undefined
  }
}

/** Returns a text that is unique for each record of a `load` that is not a document. */
export function recordAddress(record: OtherRecord): string {
  const [{ name, scope }, id] = placeOf(record)
  return JSON.stringify([record.kind, name, scope, id])
}

function placeOf(record: OtherRecord): readonly [owner: { readonly name: string; readonly scope: string }, id: string] {
  switch (record.kind) {
    case 'member':
      return [record.set, record.member]
    case 'sample':
      return [record.series, record.sample.id]
    case 'task':
      return [record.queue, record.task.id]
  }
}

function refusalOf(change: DocumentChange, version: number | undefined): RefusedOutcome['outcome'] | undefined {
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

/** Returns the records of `load` changes that were checked so far. */
function createLoadedRecords(stored: StoredState) {
  const seen = new Set<string>()
  const cleared: string[] = []
  return {
    /** Adds a record and returns true when it exists already, or occurs twice in the batch. */
    add(record: OtherRecord): boolean {
      const address = recordAddress(record)
      if (seen.has(address)) return true
      seen.add(address)
      const [{ scope }] = placeOf(record)
      return !cleared.some((ancestor) => isUnder(scope, ancestor)) && stored.contains(record)
    },
    clear: (ancestor: string) => void cleared.push(ancestor),
  }
}

/** Returns the versions that documents will have after the changes checked so far. */
function createVersionOverlay(stored: StoredState) {
  // Nested maps by collection, scope and key. Joining the three into one string for each of ten thousand documents
  // would cost more than all other work.
  const changed = new Map<string, Map<string, Map<string, number | undefined>>>()
  const cleared: string[] = []
  return {
    of({ collection, scope, key }: DocumentId) {
      const planned = changed.get(collection)?.get(scope)
      if (planned?.has(key)) return planned.get(key)
      if (cleared.some((ancestor) => isUnder(scope, ancestor))) return undefined
      return stored.versionOf({ collection, scope, key })
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
