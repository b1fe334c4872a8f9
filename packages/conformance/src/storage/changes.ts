import type {
  AccountStorage,
  Change,
  CommitOutcome,
  Condition,
  DocumentId,
  Fields,
  QueueId,
  Sample,
  SeriesId,
  SetId,
  Task,
} from '@halyard/core/storage'
import { assert } from './assert.ts'

/** Returns the id of a document. With a key alone, the document is at the top of the account. */
export function documentId(key: string, scope = '', collection = 'things'): DocumentId {
  return { collection, scope, key }
}

export function insert(id: DocumentId, body: unknown = null, fields: Fields = {}): Change {
  return { do: 'insert', id, body, fields }
}

export function replace(id: DocumentId, version: number, body: unknown = null, fields: Fields = {}): Change {
  return { do: 'replace', id, version, body, fields }
}

export function remove(id: DocumentId, version: number): Change {
  return { do: 'remove', id, version }
}

export function expect(id: DocumentId, version: number): Change {
  return { do: 'expect', id, version }
}

export function ensure(id: DocumentId, body: unknown = null, fields: Fields = {}): Change {
  return { do: 'ensure', id, body, fields }
}

export function discard(id: DocumentId): Change {
  return { do: 'discard', id }
}

export function discardAll(collection: string, scope: string, ...where: Condition[]): Change {
  return { do: 'discard-all', collection, scope, where }
}

export function clear(scope: string): Change {
  return { do: 'clear', scope }
}

export function addKeys(set: SetId, keys: readonly string[]): Change {
  return { do: 'add-keys', set, keys }
}

export function removeKeys(set: SetId, keys: readonly string[]): Change {
  return { do: 'remove-keys', set, keys }
}

export function moveKeys(from: SetId, into: SetId, replace?: boolean): Change {
  return { do: 'move-keys', from, into, ...(replace === undefined ? {} : { replace }) }
}

export function append(series: SeriesId, samples: readonly Sample[]): Change {
  return { do: 'append', series, samples }
}

export function trim(series: SeriesId, before: number): Change {
  return { do: 'trim', series, before }
}

export function deleteSamples(series: SeriesId, ids: readonly string[]): Change {
  return { do: 'delete-samples', series, ids }
}

export function enqueue(queue: QueueId, tasks: readonly Task[]): Change {
  return { do: 'enqueue', queue, tasks }
}

export function finish(queue: QueueId, task: string, takes?: number): Change {
  return { do: 'finish', queue, task, ...(takes === undefined ? {} : { takes }) }
}

/** A task, and the number of times that it was taken. */
export interface TaskLease {
  readonly queue: QueueId
  readonly task: string
  readonly takes: number
}

export function postpone({ queue, task, takes }: TaskLease, due: number, body: unknown = null): Change {
  return { do: 'postpone', queue, task, takes, due, body }
}

/** Returns a task with plain values for the properties that are not given. The task is due at `time`. */
export function task(id: string, time: number, overrides: Partial<Task> = {}): Task {
  return { id, lane: '', at: time, due: time, body: null, ...overrides }
}

/** Returns a sample with plain values for the properties that are not given. */
export function sample(id: string, time: number, overrides: Partial<Sample> = {}): Sample {
  return { id, at: time, label: '', values: [], body: null, ...overrides }
}

/** Commits a batch that must be accepted, and returns its counts. */
export async function commit(account: AccountStorage, ...batch: Change[]): Promise<readonly number[]> {
  const result = await account.commit(batch)
  if (result.outcome !== 'committed') return assert.fail(`refused: ${JSON.stringify(result)}`)
  return result.counts
}

type RefusedOutcome = Exclude<CommitOutcome['outcome'], 'committed'>

/** Commits a batch that must be refused with this outcome, at the change with this index. */
export async function refuse(
  account: AccountStorage,
  outcome: RefusedOutcome,
  change: number,
  ...batch: Change[]
): Promise<void> {
  assert.deepEqual(await account.commit(batch), { outcome, change })
}

/**
 * Returns the index of the first element in which two lists differ, or -1. For lists that are too long for a message.
 */
export function firstDifference(a: ArrayLike<unknown>, b: ArrayLike<unknown>): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    if (i >= a.length || i >= b.length || !Object.is(a[i], b[i])) return i
  }
  return -1
}

/** Changes every property of a value that can be changed. A storage may return frozen values. */
export function mutateDeeply(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  Object.values(value).forEach(mutateDeeply)
  for (const name of [...Object.keys(value), 'added']) Reflect.set(value, name, 'spoilt')
}
