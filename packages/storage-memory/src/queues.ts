import type { QueueId, TakenTask, TakeQuery, Task } from '@halyard/core/storage'
import { createReadyQueue, type QueueHead, type ReadyQueue } from './ready-queue.ts'
import { createScopedStore, type ScopedStore } from './scoped-store.ts'
import { enqueueTasks, headOf, plainTask, type Queue, queueKind, type StoredTask } from './tasks.ts'

/** All queues of an account. */
export interface Queues {
  /** The queues. Other code may only read them; the methods of this class change them. */
  readonly store: ScopedStore<Queue>
  /** Adds the tasks whose id the queue does not contain, and returns the number of tasks added. */
  enqueue(queue: QueueId, tasks: readonly Task[]): number
  /** Removes a task and returns 1 if it existed, else 0. */
  finish(queue: QueueId, task: string): number
  /** Returns a taken task to the queue with another due time. Returns 1 if it existed, else 0. */
  postpone(queue: QueueId, task: string, change: Pick<Task, 'due' | 'body'>): number
  /** Takes tasks that are due in all scopes. The task that has been due for the longest time comes first. */
  take(query: TakeQuery): TakenTask[]
  /** Deletes all tasks at and under a scope, and returns the number of tasks deleted. */
  clear(scope: string): number
  /** Makes a copy-on-write copy of the queues: a queue is copied when either of the two first changes it. */
  fork(): Queues
}

/** Makes queues. */
export function createQueues(store: ScopedStore<Queue> = createScopedStore(queueKind)): Queues {
  return new AccountQueues(store)
}

class AccountQueues implements Queues {
  readonly store: ScopedStore<Queue>
  // A ready queue is derived from the queues, when a caller takes from them for the first time.
  readonly #readyQueues = new Map<string, ReadyQueue>()

  constructor(store: ScopedStore<Queue>) {
    this.store = store
  }

  enqueue(id: QueueId, tasks: readonly Task[]): number {
    const queue = this.store.edit(id.name, id.scope)
    const count = enqueueTasks(queue, tasks)
    for (const orderingKey of new Set(tasks.map((task) => task.lane))) this.#updateHead(id, queue, orderingKey)
    return count
  }

  finish(id: QueueId, task: string): number {
    const stored = this.store.find(id.name, id.scope)?.tasks.get(task)
    if (!stored) return 0
    const queue = this.store.edit(id.name, id.scope)
    queue.tasks.delete(task)
    this.#updateHead(id, queue, stored.lane)
    return 1
  }

  postpone(id: QueueId, task: string, { due, body }: Pick<Task, 'due' | 'body'>): number {
    const stored = this.store.find(id.name, id.scope)?.tasks.get(task)
    if (!stored) return 0
    this.#put(id, { ...stored, due, body, leasedUntil: 0 })
    return 1
  }

  take({ name, now, until, limit }: TakeQuery): TakenTask[] {
    return this.#dueHeads(name, now, limit).map(({ scope, task }) => {
      const taken = { ...task, takes: task.takes + 1, leasedUntil: until }
      this.#put({ name, scope }, taken)
      return { scope, takes: taken.takes, ...plainTask(taken) }
    })
  }

  clear(scope: string): number {
    return this.store.clear(scope)
  }

  fork(): Queues {
    return new AccountQueues(this.store.fork())
  }

  #dueHeads(name: string, now: number, limit: number): QueueHead[] {
    const readyQueue = this.#readyQueueOf(name)
    const heads: QueueHead[] = []
    while (heads.length < limit) {
      const head = readyQueue.next(now)
      if (!head) break
      // The scope may have been cleared since the head was stored.
      if (this.store.find(name, head.scope)?.tasks.get(head.task.id) === head.task) heads.push(head)
    }
    return heads
  }

  #readyQueueOf(name: string): ReadyQueue {
    const existing = this.#readyQueues.get(name)
    if (existing) return existing
    const readyQueue = createReadyQueue()
    this.#readyQueues.set(name, readyQueue)
    for (const [scope, queue] of this.store.entriesOf(name)) {
      for (const orderingKey of queue.positionsByKey.keys())
        readyQueue.setHead(scope, orderingKey, headOf(queue, orderingKey))
    }
    return readyQueue
  }

  #updateHead({ name, scope }: QueueId, queue: Queue, orderingKey: string): void {
    this.#readyQueues.get(name)?.setHead(scope, orderingKey, headOf(queue, orderingKey))
  }

  #put(id: QueueId, task: StoredTask): void {
    const queue = this.store.edit(id.name, id.scope)
    queue.tasks.set(task.id, task)
    this.#updateHead(id, queue, task.lane)
  }
}
