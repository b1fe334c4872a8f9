import { compareCodePoints, type Task } from '@halyard/core/storage'
import { createHeap, type Heap } from './heap.ts'
import type { LeafKind } from './scoped-store.ts'

/** A task as the queue stores it. It is replaced by a new object when it changes. */
export interface StoredTask extends Task {
  readonly takes: number
  /** End of the lease of the caller that has taken the task, ms; 0 for a task that is not leased. */
  readonly leasedUntil: number
}

/** The tasks of one queue and scope. */
export interface Queue {
  readonly tasks: Map<string, StoredTask>
  /**
   * The positions of tasks by ordering key. Positions of tasks that were removed are dropped when they become first.
   */
  readonly positionsByKey: Map<string, Heap<TaskPosition>>
}

type TaskPosition = Pick<Task, 'at' | 'id'>

export const queueKind: LeafKind<Queue> = {
  create: () => ({ tasks: new Map(), positionsByKey: new Map() }),
  copy: ({ tasks, positionsByKey }) => ({
    tasks: new Map(tasks),
    positionsByKey: new Map([...positionsByKey].map(([orderingKey, positions]) => [orderingKey, positions.copy()])),
  }),
  size: ({ tasks }) => tasks.size,
}

/** Adds the tasks whose id the queue does not contain, and returns the number of tasks added. */
export function enqueueTasks({ tasks, positionsByKey }: Queue, newTasks: readonly Task[]): number {
  const before = tasks.size
  for (const task of newTasks) {
    if (tasks.has(task.id)) continue
    tasks.set(task.id, { ...task, takes: 0, leasedUntil: 0 })
    const positions = positionsByKey.get(task.lane) ?? createHeap(comparePositions)
    positions.push({ at: task.at, id: task.id })
    positionsByKey.set(task.lane, positions)
  }
  return tasks.size - before
}

/** Returns the first task of an ordering key, or undefined. */
export function headOf({ tasks, positionsByKey }: Queue, orderingKey: string): StoredTask | undefined {
  const positions = positionsByKey.get(orderingKey)
  for (let position = positions?.peek(); positions && position; position = positions.peek()) {
    const task = tasks.get(position.id)
    if (task?.lane === orderingKey && task.at === position.at) return task
    positions.pop()
  }
  positionsByKey.delete(orderingKey)
  return undefined
}

/** Returns at most `limit` tasks after the cursor, in their order. */
export function listTasks(
  { tasks }: Queue,
  { after, limit }: { readonly after?: TaskPosition; readonly limit: number },
): Task[] {
  const ordered = [...tasks.values()].sort(comparePositions)
  return ordered
    .filter((task) => !after || comparePositions(task, after) > 0)
    .slice(0, limit)
    .map(plainTask)
}

/** Returns all tasks of a queue in their order, without their leases. */
export function orderedTasks({ tasks }: Queue): Task[] {
  return [...tasks.values()].sort(comparePositions).map(plainTask)
}

/** Returns a task as the port defines it. */
export function plainTask({ id, lane, at, due, body }: StoredTask): Task {
  return { id, lane, at, due, body }
}

/** Compares two tasks of one ordering key. */
export function comparePositions(a: TaskPosition, b: TaskPosition): number {
  return a.at - b.at || compareCodePoints(a.id, b.id)
}
