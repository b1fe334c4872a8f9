import type { StoredRecord } from '@halyard/core/storage'

/** A record as it is stored: for a task also how often it was taken, and the end of its lease (ms). */
export type RecordWithLease = StoredRecord & { readonly takes?: number; readonly leasedUntil?: number }
export type Kind = RecordWithLease['kind']
export type RecordOf<K extends Kind> = Extract<RecordWithLease, { readonly kind: K }>

/** Records of one kind, one name and one scope: the documents of a collection, a set of keys, a series, a queue. */
export interface Partition<K extends Kind> {
  readonly kind: K
  readonly name: string
  readonly scope: string
  readonly records: Map<string, RecordOf<K>>
}

interface PartitionName {
  readonly name: string
  readonly scope: string
}

// #region record-store
/** Creates the store of one account, which consists of partitions. Changes can be undone until they are committed. */
export function createRecordStore() {
  const partitions = new Map<string, Partition<Kind>>()
  const undo: (() => void)[] = []

  function partition<K extends Kind>(kind: K, { name, scope }: PartitionName): Partition<K> {
    // The length of the name makes the keys of different partitions distinct.
    const mapKey = `${kind}:${name.length}:${name}${scope}`
    const existing = partitions.get(mapKey) ?? { kind, name, scope, records: new Map() }
    partitions.set(mapKey, existing)
    return existing as unknown as Partition<K>
  }

  function put(record: RecordWithLease): void {
    const { id, ...partitionName } = addressOf(record)
    const { records } = partition(record.kind, partitionName)
    const previous = records.get(id)
    undo.push(() => (previous ? records.set(id, previous) : records.delete(id)))
    records.set(id, record)
  }

  function remove(record: RecordWithLease): void {
    const { id, ...partitionName } = addressOf(record)
    const { records } = partition(record.kind, partitionName)
    undo.push(() => records.set(id, record))
    records.delete(id)
  }

  return {
    drawer: partition,
    put,
    remove,
    partitions: (): readonly Partition<Kind>[] => [...partitions.values()],
    find: <K extends Kind>(kind: K, partitionName: PartitionName, id: string) =>
      partition(kind, partitionName).records.get(id),
    commit: () => void (undo.length = 0),
    undo() {
      while (undo.length > 0) undo.pop()?.()
    },
  }
}
// #endregion

export type RecordStore = ReturnType<typeof createRecordStore>

/** Returns the partition of a record, and its id there. */
export function addressOf(record: StoredRecord): PartitionName & { readonly id: string } {
  switch (record.kind) {
    case 'document':
      return { name: record.id.collection, scope: record.id.scope, id: record.id.key }
    case 'member':
      return { name: record.set.name, scope: record.set.scope, id: record.member }
    case 'sample':
      return { name: record.series.name, scope: record.series.scope, id: record.sample.id }
    case 'task':
      return { name: record.queue.name, scope: record.queue.scope, id: record.task.id }
  }
}
