import type { AccountStorage, TakenTask } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import type { ChangeSelector } from '../audience.ts'
import type { Host, ResponseFormat } from '../context.ts'
import type { Exporter } from '../exporter.ts'
import type { Send } from '../sender.ts'
import type { SystemWrite } from './system-write.ts'

/** Runs the tasks of one queue, at all addresses. */
export interface TaskWorker {
  /** Name of the queue. */
  readonly queue: string
  /** Name of the worker in the change log, e.g. `system/webhooks`. */
  readonly caller: string
  /** Maximum duration of one task, ms; leases are longer. */
  readonly maxMs: number
  /**
   * Runs one task. `context.write` commits its result and finishes or postpones the task in the same batch. When a
   * worker rejects, its task is taken again after the lease ends.
   */
  work(task: TakenTask, context: TaskContext): Promise<TaskResult>
}

/** A queue whose tasks this engine cannot run, because the host did not set an option that its worker needs. */
export interface QueueWithoutWorker {
  /** Name of the queue. */
  readonly queue: string
  /** The option that is missing, as a sentence. */
  readonly reason: string
  /** Resolves with true when at least one task of the queue is due. */
  hasDueTask(context: Pick<TaskContext, 'tx' | 'host'>): Promise<boolean>
}

/**
 * Makes the worker of a queue. The engine calls it when it first runs due tasks.
 *
 * @param tools.send undefined when the host configured no sender, false when the engine must not send anything.
 * @param tools.exporters undefined when the host configured no exporters.
 * @returns undefined when the tasks of the queue must not be run.
 */
export type TaskWorkerFactory = (tools: TaskWorkerTools) => QueueWorker | undefined | Promise<QueueWorker | undefined>

/** The worker of a queue, or the reason why the engine has no worker for it. */
export type QueueWorker = TaskWorker | QueueWithoutWorker

export interface TaskWorkerTools {
  readonly storage: AccountStorage
  readonly send: Send | false | undefined
  readonly exporters?: readonly Exporter[] | undefined
}

export interface TaskContext {
  readonly tx: Reader
  readonly host: Host
  readonly format: ResponseFormat
  /** Decides whether a policy selects a change of a change log entry, with the attributes that are stored now. */
  readonly selects: ChangeSelector
  /** Aborted when the host stops the running tasks. */
  readonly signal: AbortSignal | undefined
  /** Commits the writes of the worker. Resolves with false when another process has the task. */
  readonly write: SystemWrite
}

export interface TaskResult {
  /** `dropped`: there was no work left to do; `lost`: another process has the task. */
  readonly outcome: 'done' | 'failed' | 'dropped' | 'lost'
  /** Time before which no task of the same address is begun: integer ms, UTC. */
  readonly notBefore?: number
}
