import { compareCodePoints } from '@halyard/core/storage'
import { createHeap } from './heap.ts'
import { comparePlaces, type KeptTask } from './tasks.ts'

/** The first task of a lane, and where the lane is. */
export interface LaneHead {
  readonly scope: string
  readonly task: KeptTask
}

/**
 * When to look at which lane: the lanes of all scopes of one queue, each by its first task. What is not due costs a
 * take nothing, however much it is, and what waits behind the first of its lane is not in it.
 */
export interface Agenda {
  /** Says what the first task of a lane is now, if any. */
  note(scope: string, lane: string, head: KeptTask | undefined): void
  /** Takes out the lane whose first task is due and has been for longest; it has to be noted again. */
  next(now: number): LaneHead | undefined
}

/** Makes an agenda without lanes. */
export function createAgenda(): Agenda {
  /** What is right of a lane; entries of the heaps that are not in here are out of date. */
  const current = new Map<string, LaneHead>()
  const waiting = createHeap<LaneHead>((a, b) => readyAt(a) - readyAt(b))
  const ready = createHeap<LaneHead>(compareDue)

  const isCurrent = (entry: LaneHead) => current.get(laneAddress(entry.scope, entry.task.lane)) === entry

  function dropOutdated(): void {
    if (waiting.size + ready.size <= 2 * current.size + 64) return
    waiting.keep(isCurrent)
    ready.keep(isCurrent)
  }

  return {
    note(scope, lane, task) {
      const address = laneAddress(scope, lane)
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
          current.delete(laneAddress(entry.scope, entry.task.lane))
          return entry
        }
        // It was due for somebody whose clock is ahead.
        waiting.push(entry)
      }
      return undefined
    },
  }
}

function readyAt({ task }: LaneHead): number {
  return Math.max(task.due, task.leasedUntil)
}

/** The longest due first. */
function compareDue(a: LaneHead, b: LaneHead): number {
  return a.task.due - b.task.due || comparePlaces(a.task, b.task) || compareCodePoints(a.scope, b.scope)
}

function laneAddress(scope: string, lane: string): string {
  return `${scope.length}:${scope}${lane}`
}
