import type { Change, CommitOutcome, TakenTask, TakeQuery, Task } from '@halyard/core/storage'
import { compareText } from './plain-reading.ts'

interface PlainTask extends Task {
  readonly name: string
  readonly scope: string
  readonly takes: number
  readonly leasedUntil: number
}

/**
 * The port's rules on tasks in their simplest implementation, which sorts on each call. Storages are compared with it.
 */
export interface PlainTasks {
  commit(batch: readonly Change[]): CommitOutcome
  take(query: TakeQuery): TakenTask[]
  list(name: string, scope: string): Task[]
}

/** Makes an account without tasks. It accepts only changes of tasks, and `clear`. */
export function plainTasks(): PlainTasks {
  let all: readonly PlainTask[] = []

  return {
    commit(batch) {
      let next = all
      const counts: number[] = []
      for (const [change, one] of batch.entries()) {
        const outcome = refusalOf(next, one)
        if (outcome) return { outcome, change }
        const before = next
        next = applied(next, one)
        counts.push(one.do === 'postpone' ? 1 : Math.abs(next.length - before.length))
      }
      all = next
      return { outcome: 'committed', counts }
    },
    take({ name, now, until, limit }) {
      const firsts = all.filter(
        (task) => task.name === name && !all.some((other) => isSameLane(task, other) && compareTasks(other, task) < 0),
      )
      const taken = firsts
        .filter(({ due, leasedUntil }) => due <= now && leasedUntil <= now)
        .sort((a, b) => a.due - b.due || compareTasks(a, b) || compareText(a.scope, b.scope))
        .slice(0, limit)
      all = all.map((one) => (taken.includes(one) ? { ...one, takes: one.takes + 1, leasedUntil: until } : one))
      return taken.map(({ name: _, leasedUntil, ...task }) => ({ ...task, takes: task.takes + 1 }))
    },
    list: (name, scope) =>
      all
        .filter((one) => one.name === name && one.scope === scope)
        .sort(compareTasks)
        .map(({ id, lane, at, due, body }) => ({ id, lane, at, due, body })),
  }
}

function refusalOf(all: readonly PlainTask[], change: Change): 'missing' | 'conflict' | undefined {
  if ((change.do !== 'finish' && change.do !== 'postpone') || change.takes === undefined) return undefined
  const found = all.find((one) => isMeant(one, change))
  if (!found) return 'missing'
  return found.takes === change.takes ? undefined : 'conflict'
}

function applied(all: readonly PlainTask[], change: Change): readonly PlainTask[] {
  switch (change.do) {
    case 'enqueue': {
      const next = [...all]
      for (const task of change.tasks) {
        const there = next.some((one) => isMeant(one, { queue: change.queue, task: task.id }))
        if (!there) next.push({ ...task, ...change.queue, takes: 0, leasedUntil: 0 })
      }
      return next
    }
    case 'finish':
      return all.filter((one) => !isMeant(one, change))
    case 'postpone':
      return all.map((one) =>
        isMeant(one, change) ? { ...one, due: change.due, body: change.body, leasedUntil: 0 } : one,
      )
    case 'clear':
      return all.filter(({ scope }) => scope !== change.scope && !scope.startsWith(`${change.scope}:`))
    default:
      throw new Error(`${change.do} is not a change of tasks`)
  }
}

interface Meant {
  readonly queue: { readonly name: string; readonly scope: string }
  readonly task: string
}

function isMeant(one: PlainTask, { queue, task }: Meant): boolean {
  return one.name === queue.name && one.scope === queue.scope && one.id === task
}

function isSameLane(a: PlainTask, b: PlainTask): boolean {
  return a.name === b.name && a.scope === b.scope && a.lane === b.lane
}

function compareTasks(a: Task, b: Task): number {
  return a.at - b.at || compareText(a.id, b.id)
}
