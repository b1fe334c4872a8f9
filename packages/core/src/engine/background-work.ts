import type { Host, StorageWork } from '../operation/context.ts'
import type { AccountStorage } from '../storage/port.ts'

/** Calls `work` after `ms`, unless the returned function is called before. */
export type CallLater = (ms: number, work: () => void) => () => void

/**
 * Shortest time from a request to the work, in ms. Requests often come in a series of calls, which one run of the work
 * can serve.
 */
const minDelayMs = 1_000

/**
 * Length of a pause as a multiple of the duration of the work before it, so that work takes at most a tenth of the
 * time.
 */
const pausePerWork = 9

/** Number of records from which work begins. Reads of fewer records take some milliseconds without it. */
const minRecords = 10_000

/**
 * Runs requested work on a storage in memory, a second or more after the first request. One run serves all requests
 * until it begins. Each work is a function, and has its own schedule.
 */
export class BackgroundWork {
  readonly #storage: AccountStorage
  readonly #host: Host
  readonly #callLater: CallLater
  readonly #schedules = new Map<StorageWork, Schedule>()

  constructor(storage: AccountStorage, host: Host, callLater: CallLater) {
    this.#storage = storage
    this.#host = host
    this.#callLater = callLater
  }

  /**
   * Requests work, which begins once enough records are new. A failure is logged as `background-work-failed`.
   *
   * @param records number of records that are new since the last request.
   */
  request(work: StorageWork, records: number): void {
    const schedule =
      this.#schedules.get(work) ?? new Schedule(() => work(this.#storage, this.#host), this.#host, this.#callLater)
    this.#schedules.set(work, schedule)
    schedule.request(records)
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
  #records = 0
  #delayMs = minDelayMs

  constructor(work: () => Promise<unknown>, host: Host, callLater: CallLater) {
    this.#work = work
    this.#host = host
    this.#callLater = callLater
  }

  request(records: number): void {
    this.#records += records
    if (this.#records < minRecords || this.#isRunning || this.#isStopped) return
    this.#cancel ??= this.#callLater(this.#delayMs, () => void this.#run())
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel?.()
  }

  async #run(): Promise<void> {
    this.#cancel = undefined
    this.#isRunning = true
    this.#records = 0
    const start = this.#host.now()
    try {
      await this.#work()
    } catch (error) {
      if (!this.#isStopped) this.#host.log({ level: 'warn', event: 'background-work-failed', error })
    }
    this.#isRunning = false
    this.#delayMs = Math.max(minDelayMs, pausePerWork * (this.#host.now() - start))
    this.request(0)
  }
}
