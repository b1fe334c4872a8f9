import { type Change, type CommitOutcome, type DocumentId, isUnder, type QueueId } from '@halyard/core/storage'
import { type Cabinet, type Kept, type Of, placeOf } from './cabinet.ts'
import { meets } from './conditions.ts'

/** Outcome of a change that cannot be applied. */
type Refusal = Exclude<CommitOutcome['outcome'], 'committed'>

// #region apply-batch
/** Applies all changes of a batch in their order, or none. */
export function applyBatch(cabinet: Cabinet, batch: readonly Change[]): CommitOutcome {
  const counts: number[] = []
  for (const [change, one] of batch.entries()) {
    const did = applyChange(cabinet, one)
    if (typeof did === 'string') {
      cabinet.undo()
      return { outcome: did, change }
    }
    counts.push(did)
  }
  return { outcome: 'committed', counts }
}
// #endregion

/** Applies one change and returns its count, or the outcome if it cannot be applied. */
function applyChange(cabinet: Cabinet, change: Change): number | Refusal {
  switch (change.do) {
    case 'clear':
      return removeAll(
        cabinet,
        cabinet.drawers().flatMap(({ scope, records }) => (isUnder(scope, change.scope) ? [...records.values()] : [])),
      )
    case 'load':
      return putNew(cabinet, change.records) === change.records.length ? change.records.length : 'exists'
    case 'insert':
    case 'replace':
    case 'remove':
    case 'expect':
    case 'ensure':
    case 'discard':
    case 'discard-all':
      return applyToDocuments(cabinet, change)
    case 'add-members':
    case 'remove-members':
    case 'move-members':
      return applyToMembers(cabinet, change)
    case 'append':
    case 'withdraw':
    case 'trim':
      return applyToSamples(cabinet, change)
    case 'enqueue':
    case 'finish':
    case 'postpone':
      return applyToTasks(cabinet, change)
  }
}

type DocumentChange = Extract<
  Change,
  { readonly do: 'insert' | 'replace' | 'remove' | 'expect' | 'ensure' | 'discard' | 'discard-all' }
>

function applyToDocuments(cabinet: Cabinet, change: DocumentChange): number | Refusal {
  switch (change.do) {
    case 'insert':
      if (documentAt(cabinet, change.id)) return 'exists'
      cabinet.put(contentOf(change, 1))
      return 1
    case 'replace':
      return withDocument(cabinet, change, () => cabinet.put(contentOf(change, change.version + 1)))
    case 'remove':
      return withDocument(cabinet, change, (document) => cabinet.remove(document))
    case 'expect': {
      const did = withDocument(cabinet, change, () => {})
      return typeof did === 'string' ? did : 0
    }
    case 'ensure':
      if (!documentAt(cabinet, change.id)) cabinet.put(contentOf(change, 1))
      return 0
    case 'discard': {
      const document = documentAt(cabinet, change.id)
      if (document) cabinet.remove(document)
      return 0
    }
    case 'discard-all':
      return removeAll(
        cabinet,
        cabinet
          .drawers()
          .filter(
            ({ kind, name, scope }) =>
              kind === 'document' && name === change.collection && isUnder(scope, change.scope),
          )
          .flatMap(({ records }) => [...records.values()] as Of<'document'>[])
          .filter((row) => change.where.every((condition) => meets(row, condition))),
      )
  }
}

type MemberChange = Extract<Change, { readonly do: 'add-members' | 'remove-members' | 'move-members' }>

function applyToMembers(cabinet: Cabinet, change: MemberChange): number {
  switch (change.do) {
    case 'add-members':
      return putNew(
        cabinet,
        change.members.map((member) => ({ kind: 'member' as const, set: change.set, member })),
      )
    case 'remove-members': {
      const { records } = cabinet.drawer('member', change.set)
      return removeAll(
        cabinet,
        [...new Set(change.members)].flatMap((member) => records.get(member) ?? []),
      )
    }
    case 'move-members': {
      const from = [...cabinet.drawer('member', change.from).records.values()]
      const wanted = new Set(from.map(({ member }) => member))
      const had = [...cabinet.drawer('member', change.into).records.values()]
      if (change.replace)
        removeAll(
          cabinet,
          had.filter(({ member }) => !wanted.has(member)),
        )
      removeAll(cabinet, from)
      return putNew(
        cabinet,
        from.map((one) => ({ ...one, set: change.into })),
      )
    }
  }
}

type SampleChange = Extract<Change, { readonly do: 'append' | 'withdraw' | 'trim' }>

function applyToSamples(cabinet: Cabinet, change: SampleChange): number {
  switch (change.do) {
    case 'append':
      return putNew(
        cabinet,
        change.samples.map((sample) => ({ kind: 'sample' as const, series: change.series, sample })),
      )
    case 'withdraw': {
      const { records } = cabinet.drawer('sample', change.series)
      return removeAll(
        cabinet,
        [...new Set(change.ids)].flatMap((id) => records.get(id) ?? []),
      )
    }
    case 'trim': {
      const samples = [...cabinet.drawer('sample', change.series).records.values()]
      return removeAll(
        cabinet,
        samples.filter(({ sample }) => sample.at < change.before),
      )
    }
  }
}

type TaskChange = Extract<Change, { readonly do: 'enqueue' | 'finish' | 'postpone' }>

function applyToTasks(cabinet: Cabinet, change: TaskChange): number | Refusal {
  switch (change.do) {
    case 'enqueue':
      return putNew(
        cabinet,
        change.tasks.map((task) => ({ kind: 'task' as const, queue: change.queue, task })),
      )
    case 'finish': {
      const found = taskOf(cabinet, change)
      if (typeof found !== 'string') return removeAll(cabinet, [found])
      return change.takes === undefined ? 0 : found
    }
    case 'postpone': {
      const found = taskOf(cabinet, change)
      if (typeof found === 'string') return found
      cabinet.put({ ...found, task: { ...found.task, due: change.due, body: change.body }, leasedUntil: 0 })
      return 1
    }
  }
}

type Content = Extract<Change, { readonly do: 'insert' | 'replace' | 'ensure' }>

function contentOf({ id, body, fields }: Content, version: number) {
  return { kind: 'document' as const, id, version, body, fields }
}

function documentAt(cabinet: Cabinet, { collection, scope, key }: DocumentId) {
  return cabinet.find('document', { name: collection, scope }, key)
}

/** Runs work on a document that has the version in the change. */
function withDocument(
  cabinet: Cabinet,
  { id, version }: { readonly id: DocumentId; readonly version: number },
  work: (document: Of<'document'>) => void,
): 1 | Refusal {
  const document = documentAt(cabinet, id)
  if (!document) return 'missing'
  if (document.version !== version) return 'conflict'
  work(document)
  return 1
}

/** Returns a task if its lease is still the caller's: no process has taken it since. */
function taskOf(cabinet: Cabinet, change: { queue: QueueId; task: string; takes?: number }): Of<'task'> | Refusal {
  const found = cabinet.find('task', change.queue, change.task)
  if (!found) return 'missing'
  return change.takes === undefined || change.takes === (found.takes ?? 0) ? found : 'conflict'
}

function putNew(cabinet: Cabinet, records: readonly Kept[]): number {
  let count = 0
  for (const record of records) {
    const { id, ...place } = placeOf(record)
    if (cabinet.find(record.kind, place, id)) continue
    cabinet.put(record)
    count++
  }
  return count
}

function removeAll(cabinet: Cabinet, records: readonly Kept[]): number {
  for (const record of records) cabinet.remove(record)
  return records.length
}
