import { ApiError } from '../../operation/errors.ts'
import { systemCaller } from '../../operation/system-caller.ts'
import type { TaskContext, TaskWorker, TaskWorkerFactory } from '../../operation/tasks/task-worker.ts'
import { StorageReader } from '../../storage/reader.ts'
import { executeAsSystem } from '../execute.ts'
import type { ExecuteParts } from '../execute-parts.ts'
import { QueueRun, type QueueRunReport, type QueueState } from './queue-run.ts'

/** Limits for running due tasks. */
export interface RunTasksOptions {
  /** Maximum number of tasks. Default 100. */
  readonly limit?: number
  /** No task is started after this time; integer ms, UTC. Default: none. */
  readonly deadline?: number
  /** Once it is aborted no task is started, and the running ones are aborted and postponed. Default: none. */
  readonly signal?: AbortSignal
}

/** The outcome of running due tasks. */
export interface TaskReport {
  /** Tasks that succeeded. */
  readonly delivered: number
  /** Attempts that failed; most are repeated later. */
  readonly failed: number
  /** True when more tasks may be due, because the limit or the deadline was reached. */
  readonly more: boolean
}

interface WorkerQueue {
  readonly worker: TaskWorker
  readonly state: QueueState
}

/**
 * Creates `engine.runDueTasks`: the worker of each queue runs in turn, with the part of the limit that the earlier
 * queues did not use. Workers that only write come before those that wait for other servers: the slowest comes last.
 */
export function dueTaskRunner(pipeline: ExecuteParts, factories: readonly TaskWorkerFactory[]) {
  let queues: readonly WorkerQueue[] | undefined
  return async ({
    limit = 100,
    deadline = Number.POSITIVE_INFINITY,
    signal,
  }: RunTasksOptions = {}): Promise<TaskReport> => {
    if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('limit: must be a positive integer')
    queues ??= workerQueues(pipeline, factories)
    let report: TaskReport = { delivered: 0, failed: 0, more: false }
    let remaining = limit
    for (const { worker, state } of queues) {
      if (remaining === 0) return { ...report, more: true }
      const { accountStorage: storage, options } = pipeline
      const context = taskContext(pipeline, worker, signal)
      const run = new QueueRun(
        { storage, host: options.host, worker, context, state },
        { limit: remaining, deadline, signal },
      )
      const ran = await run.finish()
      remaining -= ran.started
      report = sum(report, ran)
    }
    return report
  }
}

function workerQueues(
  { accountStorage: storage, options: { send } }: ExecuteParts,
  factories: readonly TaskWorkerFactory[],
): WorkerQueue[] {
  if (factories.length === 0) throw new Error('workers: must contain at least 1 worker to run due tasks')
  return factories
    .flatMap((create) => create({ storage, send }) ?? [])
    .sort((a, b) => a.maxMs - b.maxMs)
    .map((worker) => ({ worker, state: { failing: new Map(), running: new Map() } }))
}

function taskContext(pipeline: ExecuteParts, { caller }: TaskWorker, signal: AbortSignal | undefined): TaskContext {
  return {
    signal,
    // Never cached: a task that is dropped because of a stale document would be lost.
    tx: new StorageReader(pipeline.accountStorage),
    host: pipeline.options.host,
    format: pipeline.format,
    async write(id, handle, author = systemCaller(caller, pipeline.policy)) {
      try {
        await executeAsSystem(pipeline, { id, caller: author, handle })
        return true
      } catch (error) {
        if (error instanceof ApiError && error.code === 'optimistic_locking_error') return false
        throw error
      }
    },
  }
}

function sum(report: TaskReport, { done, failed, hasMore }: QueueRunReport): TaskReport {
  return { delivered: report.delivered + done, failed: report.failed + failed, more: report.more || hasMore }
}
