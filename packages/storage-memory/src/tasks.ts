import { type CommitOutcome, compareCodePoints, type TakenTask, type TakeQuery, type Task } from '@halyard/core'
import type { ByScope, LeafKind } from './by-scope.ts'

/** A task as it is kept: replaced by another one whenever something becomes of it. */
export interface KeptTask extends Task {
  readonly takes: number
  /** Until when somebody has it, ms; 0 where nobody has. */
  readonly leasedUntil: number
}

/** The tasks of one queue and scope. */
export interface Queue {
  readonly tasks: Map<string, KeptTask>
}

export const queueKind: LeafKind<Queue> = {
  create: () => ({ tasks: new Map() }),
  copy: ({ tasks }) => ({ tasks: new Map(tasks) }),
  size: ({ tasks }) => tasks.size,
}

/** Adds those whose id is not in yet and says how many they were. */
export function enqueueTasks({ tasks }: Queue, added: readonly Task[]): number {
  const before = tasks.size
  for (const task of added) if (!tasks.has(task.id)) tasks.set(task.id, { ...task, takes: 0, leasedUntil: 0 })
  return tasks.size - before
}

/** Takes what is due of all scopes, the longest due first. */
export function takeTasks(queues: ByScope<Queue>, { name, now, until, limit }: TakeQuery): TakenTask[] {
  const due = queues.entriesOf(name).flatMap(([scope, queue]) => dueHeads(queue, now).map((task) => ({ scope, task })))
  const taken = due.toSorted((a, b) => a.task.due - b.task.due || compareTasks(a.task, b.task)).slice(0, limit)
  return taken.map(({ scope, task }) => {
    const kept = { ...task, takes: task.takes + 1, leasedUntil: until }
    queues.edit(name, scope).tasks.set(task.id, kept)
    return { scope, takes: kept.takes, ...plain(kept) }
  })
}

/** The first of each lane, where it is due and nobody has it. */
function dueHeads({ tasks }: Queue, now: number): KeptTask[] {
  const heads = new Map<string, KeptTask>()
  for (const task of tasks.values()) {
    const head = heads.get(task.lane)
    if (!head || compareTasks(task, head) < 0) heads.set(task.lane, task)
  }
  return [...heads.values()].filter(({ due, leasedUntil }) => due <= now && leasedUntil <= now)
}

/** Tasks in their order, those after the cursor, at most `limit`. */
export function listTasks(
  { tasks }: Queue,
  { after, limit }: { readonly after?: Pick<Task, 'at' | 'id'>; readonly limit: number },
): Task[] {
  const ordered = [...tasks.values()].sort(compareTasks)
  return ordered
    .filter((task) => !after || compareTasks(task, after) > 0)
    .slice(0, limit)
    .map(plain)
}

/** All tasks of a queue in their order, without their leases. */
export function orderedTasks({ tasks }: Queue): Task[] {
  return [...tasks.values()].sort(compareTasks).map(plain)
}

/** Why a task cannot be finished or postponed by whoever took it for the `takes`th time. */
export function taskRefusal(
  queue: Queue | undefined,
  task: string,
  takes: number | undefined,
): Exclude<CommitOutcome['outcome'], 'committed'> | undefined {
  if (takes === undefined) return undefined
  const kept = queue?.tasks.get(task)
  if (!kept) return 'missing'
  return kept.takes === takes ? undefined : 'conflict'
}

/** Removes a task and says whether it was there. */
export function finishTask({ tasks }: Queue, task: string): number {
  return tasks.delete(task) ? 1 : 0
}

/** Gives a task back for another time. */
export function postponeTask({ tasks }: Queue, id: string, change: Pick<Task, 'due' | 'body'>): number {
  const kept = tasks.get(id)
  if (!kept) return 0
  tasks.set(id, { ...kept, ...change, leasedUntil: 0 })
  return 1
}

function plain({ id, lane, at, due, body }: KeptTask): Task {
  return { id, lane, at, due, body }
}

function compareTasks(a: Pick<Task, 'at' | 'id'>, b: Pick<Task, 'at' | 'id'>): number {
  return a.at - b.at || compareCodePoints(a.id, b.id)
}
