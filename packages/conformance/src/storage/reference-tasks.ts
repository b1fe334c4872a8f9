import type { Change, CommitOutcome, TakenTask, TakeQuery, Task } from '@halyard/core/storage'
import { compareText } from './reference-list.ts'

interface ReferenceTask extends Task {
  readonly name: string
  readonly scope: string
  readonly takes: number
  readonly leasedUntil: number
}

/**
 * The port's rules on tasks in their simplest implementation, which sorts on each call. Storages are compared with it.
 */
export interface ReferenceTasks {
  commit(batch: readonly Change[]): CommitOutcome
  take(query: TakeQuery): TakenTask[]
  list(name: string, scope: string): Task[]
}

/** Creates an account without tasks. It accepts only changes of tasks, and `clear`. */
export function createReferenceTasks(): ReferenceTasks {
  let all: readonly ReferenceTask[] = []

  return {
    commit(batch) {
      let next = all
      const counts: number[] = []
      for (const [change, item] of batch.entries()) {
        const outcome = refusalOf(next, item)
        if (outcome) return { outcome, change }
        const previous = next
        next = applyChange(next, item)
        counts.push(item.do === 'postpone' ? 1 : Math.abs(next.length - previous.length))
      }
      all = next
      return { outcome: 'committed', counts }
    },
    take({ name, now, until, limit }) {
      const firsts = all.filter(
        (task) =>
          task.name === name && !all.some((other) => hasSameOrderingKey(task, other) && compareTasks(other, task) < 0),
      )
      const taken = firsts
        .filter(({ due, leasedUntil }) => due <= now && leasedUntil <= now)
        .sort((a, b) => a.due - b.due || compareTasks(a, b) || compareText(a.scope, b.scope))
        .slice(0, limit)
      all = all.map((task) => (taken.includes(task) ? { ...task, takes: task.takes + 1, leasedUntil: until } : task))
      return taken.map(({ name: _, leasedUntil, ...task }) => ({ ...task, takes: task.takes + 1 }))
    },
    list: (name, scope) =>
      all
        .filter((entry) => entry.name === name && entry.scope === scope)
        .sort(compareTasks)
        .map(({ id, lane, at, due, body }) => ({ id, lane, at, due, body })),
  }
}

function refusalOf(all: readonly ReferenceTask[], change: Change): 'missing' | 'conflict' | undefined {
  if ((change.do !== 'finish' && change.do !== 'postpone') || change.takes === undefined) return undefined
  const task = all.find((entry) => hasAddress(entry, change))
  if (!task) return 'missing'
  return task.takes === change.takes ? undefined : 'conflict'
}

function applyChange(all: readonly ReferenceTask[], change: Change): readonly ReferenceTask[] {
  switch (change.do) {
    case 'enqueue': {
      const next = [...all]
      for (const task of change.tasks) {
        const exists = next.some((entry) => hasAddress(entry, { queue: change.queue, task: task.id }))
        if (!exists) next.push({ ...task, ...change.queue, takes: 0, leasedUntil: 0 })
      }
      return next
    }
    case 'finish':
      return all.filter((entry) => !hasAddress(entry, change))
    case 'postpone':
      return all.map((entry) =>
        hasAddress(entry, change) ? { ...entry, due: change.due, body: change.body, leasedUntil: 0 } : entry,
      )
    case 'clear':
      return all.filter(({ scope }) => scope !== change.scope && !scope.startsWith(`${change.scope}:`))
    default:
      throw new Error(`${change.do} is not a change of tasks`)
  }
}

interface TaskAddress {
  readonly queue: { readonly name: string; readonly scope: string }
  readonly task: string
}

function hasAddress(entry: ReferenceTask, { queue, task }: TaskAddress): boolean {
  return entry.name === queue.name && entry.scope === queue.scope && entry.id === task
}

function hasSameOrderingKey(a: ReferenceTask, b: ReferenceTask): boolean {
  return a.name === b.name && a.scope === b.scope && a.lane === b.lane
}

function compareTasks(a: Task, b: Task): number {
  return a.at - b.at || compareText(a.id, b.id)
}
