/** Which queue is meant. */
export interface QueueId {
  /** Name of the queue, e.g. `webhook-deliveries`. */
  readonly name: string
  /** Address of what the tasks are about; they go with it. */
  readonly scope: string
}

/** Something that is to be done later. */
export interface Task {
  /** Unique within queue and scope. */
  readonly id: string
  /** Tasks with one scope and lane are taken one after the other, in the order of `at`, then id. */
  readonly lane: string
  /** Integer milliseconds, UTC: where it stands in its lane. */
  readonly at: number
  /** Integer milliseconds, UTC: it is not taken before. */
  readonly due: number
  /** JSON value. */
  readonly body: unknown
}

/** A task that nobody else is given until its lease ends. */
export interface TakenTask extends Task {
  readonly scope: string
  /** How often it was taken, this time included; whoever finishes or postpones it says so to show that they still have it. */
  readonly takes: number
}

/** Which tasks are taken, and for how long. */
export interface TakeQuery {
  /** Name of the queue; tasks of all scopes are looked at. */
  readonly name: string
  /** Only those that are due by this time: integer ms, UTC. */
  readonly now: number
  /** When the lease ends: integer ms, UTC. */
  readonly until: number
  readonly limit: number
}
