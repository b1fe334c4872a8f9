import type { Host, StorageWork } from '../operation/context.ts'
import type { AccountStorage } from '../storage/port.ts'

/** Calls `work` after `ms`, unless the returned function is called before. */
export type CallLater = (ms: number, work: () => void) => () => void

/** Shortest time from a request to the work, ms: requests often come in many calls, one after the other. */
const minDelayMs = 1_000

/** Number of times that a pause is as long as the work before it, so that work takes a tenth of the time at most. */
const pausePerWork = 9

/**
 * Does requested work on a storage in memory, a second or more after the request, and once for all requests until then.
 * Each work is a function, and is done apart from other functions.
 */
export class SoonWork {
  readonly #storage: AccountStorage
  readonly #host: Host
  readonly #callLater: CallLater
  readonly #schedules = new Map<StorageWork, Schedule>()

  constructor(storage: AccountStorage, host: Host, callLater: CallLater) {
    this.#storage = storage
    this.#host = host
    this.#callLater = callLater
  }

  /** Requests work. A failure is logged as `work-failed`. */
  do(work: StorageWork): void {
    const schedule =
      this.#schedules.get(work) ?? new Schedule(() => work(this.#storage, this.#host), this.#host, this.#callLater)
    this.#schedules.set(work, schedule)
    schedule.request()
  }

  /** Begins no more work. */
  stop(): void {
    for (const schedule of this.#schedules.values()) schedule.stop()
  }
}

class Schedule {
  readonly #work: () => Promise<unknown>
  readonly #host: Host
  readonly #callLater: CallLater
  #cancel: (() => void) | undefined
  #isRunning = false
  #isStopped = false
  #hasMore = false
  #delayMs = minDelayMs

  constructor(work: () => Promise<unknown>, host: Host, callLater: CallLater) {
    this.#work = work
    this.#host = host
    this.#callLater = callLater
  }

  request(): void {
    this.#hasMore = true
    if (this.#isRunning || this.#isStopped) return
    this.#cancel ??= this.#callLater(this.#delayMs, () => void this.#run())
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel?.()
  }

  async #run(): Promise<void> {
    this.#cancel = undefined
    this.#isRunning = true
    this.#hasMore = false
    const start = this.#host.now()
    try {
      await this.#work()
    } catch (error) {
      if (!this.#isStopped) this.#host.log({ level: 'warn', event: 'work-failed', error })
    }
    this.#isRunning = false
    this.#delayMs = Math.max(minDelayMs, pausePerWork * (this.#host.now() - start))
    if (this.#hasMore) this.request()
  }
}
