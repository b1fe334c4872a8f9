import { compareCodePoints, type TakenTask, type TakeQuery } from '@halyard/core/storage'
import type { RecordStore, RecordOf } from './record-store.ts'

/** Takes due tasks: the first task of each ordering key, unless it is leased. */
export function takeTasks(store: RecordStore, { name, now, until, limit }: TakeQuery): TakenTask[] {
  const ready = store
    .partitions()
    .filter((drawer) => drawer.kind === 'task' && drawer.name === name)
    .flatMap(({ records }) => headsOf([...records.values()] as RecordOf<'task'>[]))
    .filter(({ task, leasedUntil = 0 }) => Math.max(task.due, leasedUntil) <= now)
    .sort((a, b) => a.task.due - b.task.due || compareTasks(a, b) || compareCodePoints(a.queue.scope, b.queue.scope))
    .slice(0, limit)
  return ready.map((record) => {
    const takes = (record.takes ?? 0) + 1
    store.put({ ...record, takes, leasedUntil: until })
    return { ...record.task, scope: record.queue.scope, takes }
  })
}

/** Compares tasks in the order of an ordering key and of lists. */
export function compareTasks({ task: a }: RecordOf<'task'>, { task: b }: RecordOf<'task'>): number {
  return a.at - b.at || compareCodePoints(a.id, b.id)
}

function headsOf(records: RecordOf<'task'>[]): RecordOf<'task'>[] {
  const heads = new Map<string, RecordOf<'task'>>()
  for (const record of records.sort(compareTasks)) {
    if (!heads.has(record.task.lane)) heads.set(record.task.lane, record)
  }
  return [...heads.values()]
}
