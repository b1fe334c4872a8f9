import type { Host } from '../../operation/context.ts'
import type { TaskContext, TaskResult, TaskWorker } from '../../operation/tasks/task-worker.ts'
import type { AccountStorage, Change, TakenTask } from '../../storage/port.ts'

/**
 * Maximum number of running tasks, in total and for one address. The second limit prevents an address that does not
 * respond from blocking the others.
 */
const maxRunning = 16
const maxRunningOfOne = 4

/** Maximum number of tasks that are leased at a time, running or not. */
const maxLeased = 100

/** Minimum length of a lease, ms. */
const minLease = 60_000

/** Time for which the other tasks of a failing address are postponed while one task is tried, ms. */
const postponeMs = 5_000

/** State of addresses that all runs of one queue by one engine share. */
export interface QueueState {
  /** Addresses where the last task failed, and the time until which no task is started there: integer ms. */
  readonly failing: Map<string, number>
  /** Number of running tasks by address. */
  readonly running: Map<string, number>
}

export interface QueueRunParts {
  readonly storage: AccountStorage
  readonly host: Host
  readonly worker: TaskWorker
  readonly context: TaskContext
  readonly state: QueueState
}

export interface QueueRunLimits {
  /** Maximum number of tasks to start. */
  readonly limit: number
  /** Integer ms, UTC. */
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

export interface QueueRunReport {
  /** Tasks that were started, whatever their outcome. */
  readonly started: number
  readonly done: number
  readonly failed: number
  readonly hasMore: boolean
}

interface LeasedTask {
  readonly task: TakenTask
  /** End of the lease, ms. */
  readonly until: number
}

interface PostponedTask {
  readonly task: TakenTask
  /** Integer ms, UTC. */
  readonly due: number
}

/**
 * One run through the due tasks of a queue: until none is due, or the limit or the deadline is reached.
 *
 * After a task fails, tasks of the same address run one at a time and the others are postponed. So a receiver that does
 * not respond occupies one slot, not all slots.
 */
export class QueueRun {
  readonly #parts: QueueRunParts
  readonly #limits: QueueRunLimits
  readonly #counts = { done: 0, failed: 0, dropped: 0, lost: 0 }
  readonly #running = new Set<Promise<void>>()
  #leased: LeasedTask[] = []
  #begun = 0

  constructor(parts: QueueRunParts, limits: QueueRunLimits) {
    this.#parts = parts
    this.#limits = limits
  }

  /** Resolves when all tasks of the run have ended. */
  async finish(): Promise<QueueRunReport> {
    let hasMore: boolean
    try {
      hasMore = await this.#run()
    } finally {
      await Promise.all([this.#giveBack(this.#leased.map(({ task }) => ({ task, due: task.due }))), ...this.#running])
    }
    return { started: this.#begun, done: this.#counts.done, failed: this.#counts.failed, hasMore }
  }

  /** Runs tasks until none is due, or a limit is reached. Returns true when more tasks may be due. */
  async #run(): Promise<boolean> {
    for (;;) {
      await this.#beginTasks()
      if (this.#isOver()) return true
      const capacity = Math.min(maxLeased, this.#limits.limit - this.#begun) - this.#leased.length
      const taken = capacity > 0 && this.#running.size < maxRunning ? await this.#take(capacity) : []
      this.#leased.push(...taken)
      if (taken.length > 0) continue
      if (this.#running.size === 0 && this.#leased.length === 0) return false
      // If all leased tasks belong to addresses that another run handles, this run ends: the other run starts the
      // remaining tasks.
      if (this.#running.size === 0) return true
      // A task that ends frees a slot, or unblocks the next one of its ordering key.
      await Promise.race(this.#running)
    }
  }

  #isOver(): boolean {
    const { limit, deadline, signal } = this.#limits
    return this.#begun >= limit || this.#parts.host.now() >= deadline || signal?.aborted === true
  }

  async #take(limit: number): Promise<LeasedTask[]> {
    const { storage, host, worker } = this.#parts
    const now = host.now()
    const until = now + Math.max(minLease, worker.maxMs * 4)
    const tasks = await storage.take({ name: worker.queue, now, until, limit })
    return tasks.map((task) => ({ task, until }))
  }

  /** Starts the tasks that may be started now, and postpones those for another run or a later time. */
  async #beginTasks(): Promise<void> {
    const { running } = this.#parts.state
    const retained: LeasedTask[] = []
    const postponed: PostponedTask[] = []
    for (const leased of this.#leased) {
      const { task } = leased
      const due = this.#isOver() ? undefined : this.#postponedUntil(leased)
      const isFull = (running.get(task.scope) ?? 0) >= maxRunningOfOne || this.#running.size >= maxRunning
      if (due !== undefined) postponed.push({ task, due })
      else if (this.#isOver() || isFull) retained.push(leased)
      else this.#begin(task)
    }
    this.#leased = retained
    await this.#giveBack(postponed)
  }

  /** Returns the time at which a task is to be taken again; undefined when it can be started now. */
  #postponedUntil({ task, until }: LeasedTask): number | undefined {
    const { host, worker, state } = this.#parts
    const now = host.now()
    // The lease may end while the task is running, and another process would take it.
    if (until - now < worker.maxMs * 2) return task.due
    const notBefore = state.failing.get(task.scope)
    if (notBefore === undefined) return undefined
    if (notBefore > now) return notBefore
    return state.running.has(task.scope) ? now + postponeMs : undefined
  }

  #begin(task: TakenTask): void {
    const { running } = this.#parts.state
    this.#begun++
    running.set(task.scope, (running.get(task.scope) ?? 0) + 1)
    const run = this.#runTask(task).then(() => {
      const remaining = (running.get(task.scope) ?? 1) - 1
      if (remaining === 0) running.delete(task.scope)
      else running.set(task.scope, remaining)
      this.#running.delete(run)
    })
    this.#running.add(run)
  }

  async #runTask(task: TakenTask): Promise<void> {
    const { failing } = this.#parts.state
    const { outcome, notBefore } = await this.#resultOf(task)
    this.#counts[outcome]++
    if (outcome === 'failed') failing.set(task.scope, notBefore ?? 0)
    else if (outcome === 'done' || outcome === 'dropped') failing.delete(task.scope)
  }

  /** Runs a task. When its worker rejects, the task stays leased until the lease ends, and is then taken again. */
  async #resultOf(task: TakenTask): Promise<TaskResult> {
    const { worker, context, host } = this.#parts
    try {
      return await worker.work(task, context)
    } catch (error) {
      host.log({ level: 'error', event: 'task-failed', message: worker.queue, error })
      return { outcome: 'lost' }
    }
  }

  /** Postpones tasks in one batch; one by one when another process has leased any of them in the meantime. */
  async #giveBack(tasks: readonly PostponedTask[]): Promise<void> {
    const { storage, worker } = this.#parts
    const changes = tasks.map(
      ({ task: { id, scope, takes, body }, due }): Change => ({
        do: 'postpone',
        queue: { name: worker.queue, scope },
        task: id,
        takes,
        due,
        body,
      }),
    )
    if (changes.length === 0) return
    const { outcome } = await storage.commit(changes)
    if (outcome === 'committed') return
    for (const change of changes) await storage.commit([change])
  }
}
