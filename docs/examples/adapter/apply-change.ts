import { type Change, type CommitOutcome, type DocumentId, isUnder, type QueueId } from '@halyard/core/storage'
import { type RecordStore, type RecordWithLease, type RecordOf, addressOf } from './record-store.ts'
import { matches } from './conditions.ts'

/** Outcome of a change that cannot be applied. */
type RefusedOutcome = Exclude<CommitOutcome['outcome'], 'committed'>

// #region apply-batch
/** Applies all changes of a batch in their order, or no change at all. */
export function applyBatch(store: RecordStore, batch: readonly Change[]): CommitOutcome {
  try {
    const counts: number[] = []
    for (const [change, item] of batch.entries()) {
      const result = applyChange(store, item)
      if (typeof result === 'string') {
        store.undo()
        return { outcome: result, change }
      }
      counts.push(result)
    }
    return { outcome: 'committed', counts }
  } catch (error) {
    store.undo()
    throw error
  }
}
// #endregion

/** Applies one change and returns its count, or the outcome if it cannot be applied. */
function applyChange(store: RecordStore, change: Change): number | RefusedOutcome {
  switch (change.do) {
    case 'clear':
      return removeAll(
        store,
        store.partitions().flatMap(({ scope, records }) => (isUnder(scope, change.scope) ? [...records.values()] : [])),
      )
    case 'load':
      return putNew(store, change.records) === change.records.length ? change.records.length : 'exists'
    case 'insert':
    case 'replace':
    case 'remove':
    case 'expect':
    case 'ensure':
    case 'discard':
    case 'discard-all':
      return applyToDocuments(store, change)
    case 'add-keys':
    case 'remove-keys':
    case 'move-keys':
      return applyToMembers(store, change)
    case 'append':
    case 'delete-samples':
    case 'trim':
      return applyToSamples(store, change)
    case 'enqueue':
    case 'finish':
    case 'postpone':
      return applyToTasks(store, change)
    case 'run-statement':
      throw new TypeError('this storage runs no statements of the application')
  }
}

type DocumentChange = Extract<
  Change,
  { readonly do: 'insert' | 'replace' | 'remove' | 'expect' | 'ensure' | 'discard' | 'discard-all' }
>

function applyToDocuments(store: RecordStore, change: DocumentChange): number | RefusedOutcome {
  switch (change.do) {
    case 'insert':
      if (documentAt(store, change.id)) return 'exists'
      store.put(contentOf(change, 1))
      return 1
    case 'replace':
      return changeDocument(store, change, () => store.put(contentOf(change, change.version + 1)))
    case 'remove':
      return changeDocument(store, change, (document) => store.remove(document))
    case 'expect': {
      const result = changeDocument(store, change, () => {})
      return typeof result === 'string' ? result : 0
    }
    case 'ensure':
      if (!documentAt(store, change.id)) store.put(contentOf(change, 1))
      return 0
    case 'discard': {
      const document = documentAt(store, change.id)
      if (document) store.remove(document)
      return 0
    }
    case 'discard-all':
      return removeAll(
        store,
        store
          .partitions()
          .filter(
            ({ kind, name, scope }) =>
              kind === 'document' && name === change.collection && isUnder(scope, change.scope),
          )
          .flatMap(({ records }) => [...records.values()] as RecordOf<'document'>[])
          .filter((row) => change.where.every((condition) => matches(row, condition))),
      )
  }
}

type MemberChange = Extract<Change, { readonly do: 'add-keys' | 'remove-keys' | 'move-keys' }>

function applyToMembers(store: RecordStore, change: MemberChange): number {
  switch (change.do) {
    case 'add-keys':
      return putNew(
        store,
        change.keys.map((member) => ({ kind: 'member' as const, set: change.set, member })),
      )
    case 'remove-keys': {
      const { records } = store.drawer('member', change.set)
      return removeAll(
        store,
        [...new Set(change.keys)].flatMap((member) => records.get(member) ?? []),
      )
    }
    case 'move-keys': {
      const from = [...store.drawer('member', change.from).records.values()]
      const keys = new Set(from.map(({ member }) => member))
      const existing = [...store.drawer('member', change.into).records.values()]
      if (change.replace)
        removeAll(
          store,
          existing.filter(({ member }) => !keys.has(member)),
        )
      removeAll(store, from)
      return putNew(
        store,
        from.map((item) => ({ ...item, set: change.into })),
      )
    }
  }
}

type SampleChange = Extract<Change, { readonly do: 'append' | 'delete-samples' | 'trim' }>

function applyToSamples(store: RecordStore, change: SampleChange): number {
  switch (change.do) {
    case 'append':
      return putNew(
        store,
        change.samples.map((sample) => ({ kind: 'sample' as const, series: change.series, sample })),
      )
    case 'delete-samples': {
      const { records } = store.drawer('sample', change.series)
      return removeAll(
        store,
        [...new Set(change.ids)].flatMap((id) => records.get(id) ?? []),
      )
    }
    case 'trim': {
      const samples = [...store.drawer('sample', change.series).records.values()]
      return removeAll(
        store,
        samples.filter(({ sample }) => sample.at < change.before),
      )
    }
  }
}

type TaskChange = Extract<Change, { readonly do: 'enqueue' | 'finish' | 'postpone' }>

function applyToTasks(store: RecordStore, change: TaskChange): number | RefusedOutcome {
  switch (change.do) {
    case 'enqueue':
      return putNew(
        store,
        change.tasks.map((task) => ({ kind: 'task' as const, queue: change.queue, task })),
      )
    case 'finish': {
      const task = taskOf(store, change)
      if (typeof task !== 'string') return removeAll(store, [task])
      return change.takes === undefined ? 0 : task
    }
    case 'postpone': {
      const task = taskOf(store, change)
      if (typeof task === 'string') return task
      store.put({ ...task, task: { ...task.task, due: change.due, body: change.body }, leasedUntil: 0 })
      return 1
    }
  }
}

type Content = Extract<Change, { readonly do: 'insert' | 'replace' | 'ensure' }>

function contentOf({ id, body, fields }: Content, version: number) {
  return { kind: 'document' as const, id, version, body, fields }
}

function documentAt(store: RecordStore, { collection, scope, key }: DocumentId) {
  return store.find('document', { name: collection, scope }, key)
}

/** Runs work on a document that has the version in the change. */
function changeDocument(
  store: RecordStore,
  { id, version }: { readonly id: DocumentId; readonly version: number },
  work: (document: RecordOf<'document'>) => void,
): 1 | RefusedOutcome {
  const document = documentAt(store, id)
  if (!document) return 'missing'
  if (document.version !== version) return 'conflict'
  work(document)
  return 1
}

/** Returns a task if the caller still has its lease, which means that no other process has taken the task since. */
function taskOf(
  store: RecordStore,
  change: { queue: QueueId; task: string; takes?: number },
): RecordOf<'task'> | RefusedOutcome {
  const task = store.find('task', change.queue, change.task)
  if (!task) return 'missing'
  return change.takes === undefined || change.takes === (task.takes ?? 0) ? task : 'conflict'
}

function putNew(store: RecordStore, records: readonly RecordWithLease[]): number {
  let count = 0
  for (const record of records) {
    const { id, ...address } = addressOf(record)
    if (store.find(record.kind, address, id)) continue
    store.put(record)
    count++
  }
  return count
}

function removeAll(store: RecordStore, records: readonly RecordWithLease[]): number {
  for (const record of records) store.remove(record)
  return records.length
}
