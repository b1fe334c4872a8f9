import type { AccountStorage, TakenTask } from '../storage/port.ts'
import type { Reader } from '../storage/reader.ts'
import type { Caller } from './caller.ts'
import type { Host, Wire, WriteContext } from './context.ts'
import type { Send } from './sender.ts'

/** Does the tasks of one queue, of all addresses. */
export interface Worker {
  /** Name of the queue. */
  readonly queue: string
  /** Who does it, as the change log names it, e.g. `system/webhooks`. */
  readonly caller: string
  /** How long one task takes at most, ms; leases are longer. */
  readonly mostMs: number
  /**
   * Does one task. Whatever becomes of it is committed by `context.write`, which finishes or postpones the task in the
   * same batch. Where it rejects, the task is taken again when its lease ends.
   */
  work(task: TakenTask, context: WorkContext): Promise<Worked>
}

/**
 * Makes the worker of a queue, when something is to be delivered for the first time.
 *
 * @param given.send undefined where the host said nothing of it, false where it shall send nothing.
 * @returns undefined where the host does not want its work to be done.
 * @throws Error saying what the host has to give, where the worker cannot do without.
 */
export type WorkerMaker = (given: WorkerTools) => Worker | undefined

export interface WorkerTools {
  readonly storage: AccountStorage
  readonly send: Send | false | undefined
}

export interface WorkContext {
  readonly tx: Reader
  readonly host: Host
  readonly wire: Wire
  /** Aborted when the host wants what is under way to be cut off. */
  readonly signal: AbortSignal | undefined
  /**
   * Commits what `handle` writes, with its entry in the change log where callers could have made the change.
   *
   * @param id what the change log calls it.
   * @param by who does it; default: the worker itself, which may do everything.
   * @returns whether it was committed: not where somebody else has the task, or too many others wrote the same.
   */
  write(id: string, handle: (context: WriteContext) => Promise<void>, by?: Caller): Promise<boolean>
}

export interface Worked {
  /** `dropped`: there was nothing to do any more; `lost`: somebody else does it. */
  readonly outcome: 'done' | 'failed' | 'dropped' | 'lost'
  /** Nothing else at the same address is to be begun before: integer ms, UTC. */
  readonly notBefore?: number
}
