/** Identifies a queue. */
export interface QueueId {
  /** Name of the queue, e.g. `webhook-deliveries`. */
  readonly name: string
  /** Address of the resource that the tasks are about; they are deleted with it. */
  readonly scope: string
}

/** Work that is due at a time. */
export interface Task {
  /** Unique within queue and scope. */
  readonly id: string
  /**
   * Ordering key: tasks with the same scope and ordering key are taken one after the other, in the order of `at`, then
   * id.
   */
  readonly lane: string
  /** Integer milliseconds, UTC: position among the tasks of its ordering key. */
  readonly at: number
  /** Integer milliseconds, UTC: the earliest time at which the task is taken. */
  readonly due: number
  /** JSON value. */
  readonly body: unknown
}

/** A task that a process has leased: no other process gets it until the lease ends. */
export interface TakenTask extends Task {
  readonly scope: string
  /**
   * Number of times the task was taken, including this time. A process that finishes or postpones the task passes this
   * number, so that the storage refuses it when another process has leased the task since.
   */
  readonly takes: number
}

/** Selects the tasks to take, and the length of their lease. */
export interface TakeQuery {
  /** Name of the queue; tasks of all scopes are taken. */
  readonly name: string
  /** Only tasks that are due by this time: integer ms, UTC. */
  readonly now: number
  /** End of the lease: integer ms, UTC. */
  readonly until: number
  readonly limit: number
}
