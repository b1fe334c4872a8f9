import type { AccountStorage, TakenTask } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import type { Caller } from '../caller.ts'
import type { Host, ResponseFormat, WriteContext } from '../context.ts'
import type { Send } from '../sender.ts'

/** Runs the tasks of one queue, whatever their addresses. */
export interface TaskWorker {
  /** Name of the queue. */
  readonly queue: string
  /** Name of the worker in the change log, e.g. `system/webhooks`. */
  readonly caller: string
  /** Maximum duration of one task, ms; leases are longer. */
  readonly maxMs: number
  /**
   * Runs one task. Its result is committed by `context.write`, which finishes or postpones the task in the same batch. A
   * task whose worker rejects is taken again when its lease ends.
   */
  work(task: TakenTask, context: TaskContext): Promise<TaskResult>
}

/**
 * Makes the worker of a queue, when the first due tasks are run.
 *
 * @param tools.send undefined where the host configured no sender, false where the engine must send nothing.
 * @returns undefined where the tasks of the queue must not be run.
 * @throws Error naming the option that the worker needs and the host has not given.
 */
export type TaskWorkerFactory = (tools: TaskWorkerTools) => TaskWorker | undefined

export interface TaskWorkerTools {
  readonly storage: AccountStorage
  readonly send: Send | false | undefined
}

export interface TaskContext {
  readonly tx: Reader
  readonly host: Host
  readonly format: ResponseFormat
  /** Aborted when the host stops the tasks under way. */
  readonly signal: AbortSignal | undefined
  /**
   * Commits what `handle` writes, with a change log entry where callers could have made the change.
   *
   * @param id name of the work in the change log.
   * @param author the caller whose rights apply. Default: the worker itself, which may do everything.
   * @returns whether it was committed: false where another process has the task, or other calls keep changing the same
   *   documents.
   */
  write(id: string, handle: (context: WriteContext) => Promise<void>, author?: Caller): Promise<boolean>
}

export interface TaskResult {
  /** `dropped`: there was nothing left to do; `lost`: another process has the task. */
  readonly outcome: 'done' | 'failed' | 'dropped' | 'lost'
  /** No task of the same address is begun before this time: integer ms, UTC. */
  readonly notBefore?: number
}
