import { type Change, isUnder, type QueueId } from './port.ts'

/** A change of a task. */
export type TaskChange = Extract<Change, { readonly queue: QueueId }>

/**
 * Checks the changes of tasks in a batch one after the other, without applying them, for adapters that report which
 * change of a batch is refused.
 */
export interface TaskChangeChecker {
  /**
   * Returns the reason when a change is refused. Otherwise the following changes are checked as if this change was
   * made.
   */
  refusalOf(change: TaskChange): 'missing' | 'conflict' | undefined
  /** Regards the tasks at and under a scope as removed. */
  clear(scope: string): void
}

/**
 * Makes the checker of the changes of tasks in one batch.
 *
 * @param takesOf returns the number of times a task was taken before the batch; undefined where it does not exist.
 */
export function taskChangeChecker(takesOf: (queue: QueueId, task: string) => number | undefined): TaskChangeChecker {
  const ahead = new Map<string, { readonly scope: string; readonly takes: number | undefined }>()
  const cleared: string[] = []

  function takesNow(queue: QueueId, task: string): number | undefined {
    const planned = ahead.get(taskAddress(queue, task))
    if (planned) return planned.takes
    return cleared.some((scope) => isUnder(queue.scope, scope)) ? undefined : takesOf(queue, task)
  }

  function plan(queue: QueueId, task: string, takes: number | undefined): void {
    ahead.set(taskAddress(queue, task), { scope: queue.scope, takes })
  }

  return {
    refusalOf(change) {
      const { queue } = change
      if (change.do === 'enqueue') {
        for (const { id } of change.tasks) plan(queue, id, takesNow(queue, id) ?? 0)
        return undefined
      }
      const takes = takesNow(queue, change.task)
      if (change.takes !== undefined && takes !== change.takes) return takes === undefined ? 'missing' : 'conflict'
      if (change.do === 'finish') plan(queue, change.task, undefined)
      return undefined
    },
    clear(ancestor) {
      cleared.push(ancestor)
      for (const [address, { scope }] of ahead) if (isUnder(scope, ancestor)) ahead.delete(address)
    },
  }
}

/** Returns a text that is unique for each task: the lengths at its start separate the parts. */
export function taskAddress({ name, scope }: QueueId, task: string): string {
  return `${name.length}:${scope.length}:${name}${scope}${task}`
}
