import { ApiError } from '../../operation/errors.ts'
import { systemCaller } from '../../operation/system-caller.ts'
import type { SystemWrite } from '../../operation/tasks/system-write.ts'
import type {
  QueueWithoutWorker,
  TaskContext,
  TaskWorker,
  TaskWorkerFactory,
} from '../../operation/tasks/task-worker.ts'
import { StorageReader } from '../../storage/reader.ts'
import { executeAsSystem } from '../execute.ts'
import type { ExecuteParts } from '../execute-parts.ts'
import { QueueRun, type QueueRunReport, type QueueState } from './queue-run.ts'

/** Limits for running due tasks. */
export interface RunTasksOptions {
  /** Maximum number of tasks. Default 100. */
  readonly limit?: number
  /** No task is started after this time; integer ms, UTC. Default: no limit. */
  readonly deadline?: number
  /** A signal; once it is aborted, no further task is started, and running tasks are aborted and postponed. */
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
  /** Queues with due tasks that this engine cannot run. Absent when there are none. */
  readonly left?: readonly LeftQueue[]
}

/** A queue with due tasks that an engine cannot run. */
export interface LeftQueue {
  /** Name of the queue, e.g. `webhook-deliveries`. */
  readonly queue: string
  /** The option that `createEngine` needs to run its tasks. */
  readonly reason: string
}

interface WorkerQueue {
  readonly worker: TaskWorker
  readonly state: QueueState
}

/**
 * Creates `engine.runDueTasks`: the worker of each queue runs in turn, with the part of the limit that the earlier
 * queues did not use. Workers that only write run before workers that wait for other servers, so that the slowest
 * worker runs last.
 */
export function dueTaskRunner(pipeline: ExecuteParts, factories: readonly TaskWorkerFactory[]) {
  let queues: WorkerQueues | undefined
  return async ({
    limit = 100,
    deadline = Number.POSITIVE_INFINITY,
    signal,
  }: RunTasksOptions = {}): Promise<TaskReport> => {
    if (!Number.isSafeInteger(limit) || limit < 1) throw new RangeError('limit: must be a positive integer')
    queues ??= await workerQueues(pipeline, factories)
    let report: TaskReport = { delivered: 0, failed: 0, more: false }
    let remaining = limit
    for (const { worker, state } of queues.run) {
      if (remaining === 0) {
        report = { ...report, more: true }
        break
      }
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
    const stillDue = await queuesWithDueTasks(pipeline, queues.left)
    return stillDue.length > 0 ? { ...report, left: stillDue } : report
  }
}

interface WorkerQueues {
  readonly run: readonly WorkerQueue[]
  readonly left: readonly QueueWithoutWorker[]
}

async function workerQueues(
  { accountStorage: storage, options: { send, exporters } }: ExecuteParts,
  factories: readonly TaskWorkerFactory[],
): Promise<WorkerQueues> {
  if (factories.length === 0) throw new Error('workers: must contain at least 1 worker to run due tasks')
  const created = await Promise.all(factories.map((create) => create({ storage, send, exporters })))
  const workers = created.filter((worker) => worker !== undefined)
  return {
    run: workers
      .filter((worker) => 'work' in worker)
      .sort((a, b) => a.maxMs - b.maxMs)
      .map((worker) => ({ worker, state: { failing: new Map(), running: new Map() } })),
    left: workers.filter((worker): worker is QueueWithoutWorker => !('work' in worker)),
  }
}

async function queuesWithDueTasks(
  { accountStorage, options: { host } }: ExecuteParts,
  queues: readonly QueueWithoutWorker[],
): Promise<LeftQueue[]> {
  const remainingQueues: LeftQueue[] = []
  for (const { queue, reason, hasDueTask } of queues) {
    if (await hasDueTask({ tx: new StorageReader(accountStorage), host })) remainingQueues.push({ queue, reason })
  }
  return remainingQueues
}

function taskContext(pipeline: ExecuteParts, { caller }: TaskWorker, signal: AbortSignal | undefined): TaskContext {
  return {
    signal,
    // Reads are never cached here: if a stale document caused a task to be dropped, the task would be lost.
    tx: new StorageReader(pipeline.accountStorage),
    host: pipeline.options.host,
    format: pipeline.format,
    selects: pipeline.selection([]),
    write: systemWrite(pipeline, caller),
  }
}

/**
 * Returns the function by which the engine makes changes without a call.
 *
 * @param name name of the part of the engine in the change log, e.g. `system/webhooks`.
 */
export function systemWrite(pipeline: ExecuteParts, name: string): SystemWrite {
  return async (id, handle, author = systemCaller(name, pipeline.policy)) => {
    try {
      await executeAsSystem(pipeline, { id, caller: author, handle })
      return true
    } catch (error) {
      if (error instanceof ApiError && error.code === 'optimistic_locking_error') return false
      throw error
    }
  }
}

function sum(report: TaskReport, { done, failed, hasMore }: QueueRunReport): TaskReport {
  return { delivered: report.delivered + done, failed: report.failed + failed, more: report.more || hasMore }
}
