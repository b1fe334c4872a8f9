import type { StoredRecord } from '@halyard/core/storage'

/** A record as it is stored: for a task also how often it was taken, and the end of its lease (ms). */
export type Kept = StoredRecord & { readonly takes?: number; readonly leasedUntil?: number }
export type Kind = Kept['kind']
export type Of<K extends Kind> = Extract<Kept, { readonly kind: K }>

/** Records of one kind, one name and one scope: the documents of a collection, a set of keys, a series, a queue. */
export interface Drawer<K extends Kind> {
  readonly kind: K
  readonly name: string
  readonly scope: string
  readonly records: Map<string, Of<K>>
}

interface Place {
  readonly name: string
  readonly scope: string
}

// #region cabinet
/** Creates the store of one account, which consists of partitions. Changes can be undone until they are committed. */
export function createCabinet() {
  const drawers = new Map<string, Drawer<Kind>>()
  const undo: (() => void)[] = []

  function drawer<K extends Kind>(kind: K, { name, scope }: Place): Drawer<K> {
    // The length of the name makes the keys of different partitions distinct.
    const label = `${kind}:${name.length}:${name}${scope}`
    const known = drawers.get(label) ?? { kind, name, scope, records: new Map() }
    drawers.set(label, known)
    return known as unknown as Drawer<K>
  }

  function put(record: Kept): void {
    const { id, ...place } = placeOf(record)
    const { records } = drawer(record.kind, place)
    const before = records.get(id)
    undo.push(() => (before ? records.set(id, before) : records.delete(id)))
    records.set(id, record)
  }

  function remove(record: Kept): void {
    const { id, ...place } = placeOf(record)
    const { records } = drawer(record.kind, place)
    undo.push(() => records.set(id, record))
    records.delete(id)
  }

  return {
    drawer,
    put,
    remove,
    drawers: (): readonly Drawer<Kind>[] => [...drawers.values()],
    find: <K extends Kind>(kind: K, place: Place, id: string) => drawer(kind, place).records.get(id),
    keep: () => void (undo.length = 0),
    undo() {
      while (undo.length > 0) undo.pop()?.()
    },
  }
}
// #endregion

export type Cabinet = ReturnType<typeof createCabinet>

/** Returns the partition of a record, and its id there. */
export function placeOf(record: StoredRecord): Place & { readonly id: string } {
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
