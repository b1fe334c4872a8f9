import { compareCodePoints } from '@halyard/core/storage'
import { createHeap } from './heap.ts'
import { comparePositions, type StoredTask } from './tasks.ts'

/** The first task with an ordering key, and the scope of its queue. */
export interface QueueHead {
  readonly scope: string
  readonly task: StoredTask
}

/**
 * The ordering keys that have a due task, for one queue name in all scopes. The first task of each ordering key
 * represents it. So `take` does not visit tasks that are not due, or that wait behind another task of their key.
 */
export interface ReadyQueue {
  /** Sets the first task of an ordering key; undefined when the key has no task left. */
  setHead(scope: string, orderingKey: string, head: StoredTask | undefined): void
  /**
   * Removes and returns the head that has been due for the longest time. The caller sets the key's next head
   * afterwards.
   */
  next(now: number): QueueHead | undefined
}

/** Makes an empty ready queue. */
export function createReadyQueue(): ReadyQueue {
  /** The current head of each ordering key. Entries of the heaps that are not in this map are outdated. */
  const current = new Map<string, QueueHead>()
  const waiting = createHeap<QueueHead>((a, b) => readyAt(a) - readyAt(b))
  const ready = createHeap<QueueHead>(compareDue)

  const isCurrent = (entry: QueueHead) => current.get(orderingKeyAddress(entry.scope, entry.task.lane)) === entry

  function dropOutdated(): void {
    if (waiting.size + ready.size <= 2 * current.size + 64) return
    waiting.keep(isCurrent)
    ready.keep(isCurrent)
  }

  return {
    setHead(scope, orderingKey, task) {
      const address = orderingKeyAddress(scope, orderingKey)
      if (current.get(address)?.task === task) return
      if (!task) return void current.delete(address)
      const entry = { scope, task }
      current.set(address, entry)
      waiting.push(entry)
      dropOutdated()
    },
    next(now) {
      for (let first = waiting.peek(); first && readyAt(first) <= now; first = waiting.peek()) {
        waiting.pop()
        if (isCurrent(first)) ready.push(first)
      }
      for (let entry = ready.pop(); entry; entry = ready.pop()) {
        if (!isCurrent(entry)) continue
        if (readyAt(entry) <= now) {
          current.delete(orderingKeyAddress(entry.scope, entry.task.lane))
          return entry
        }
        // Another caller, whose clock is ahead, has moved the task to `ready`. By the clock of this caller it is not
        // due yet.
        waiting.push(entry)
      }
      return undefined
    },
  }
}

function readyAt({ task }: QueueHead): number {
  return Math.max(task.due, task.leasedUntil)
}

/** Orders heads by due time, the earliest first. */
function compareDue(a: QueueHead, b: QueueHead): number {
  return a.task.due - b.task.due || comparePositions(a.task, b.task) || compareCodePoints(a.scope, b.scope)
}

function orderingKeyAddress(scope: string, orderingKey: string): string {
  return `${scope.length}:${scope}${orderingKey}`
}
