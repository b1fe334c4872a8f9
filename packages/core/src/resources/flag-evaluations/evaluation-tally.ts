import type { Host } from '../../operation/context.ts'
import type { AccountStorage } from '../../storage/port.ts'
import type { EnvironmentKeys } from '../evaluation/environment-content.ts'
import { evaluationBatch, isNoted, type Report } from './evaluation-batch.ts'

/** Collects what SDKs report, and writes it now and then. */
export interface EvaluationTally {
  /** Takes a report; one whose id is waiting already is the same one. */
  add(place: EnvironmentKeys, report: Report): void
  /** Writes where it is time to, or where much waits. Never rejects: what could not be written waits on. */
  flushIfDue(): Promise<void>
  /**
   * Writes all that waits: one batch for each environment and two hundred reports.
   *
   * @throws whatever storage throws; what was not written waits on.
   */
  flush(): Promise<void>
}

/** Counters that may wait; with more, the next report is written at once, and where that fails the oldest are lost. */
const mostWaiting = 100_000

/** Reports in one batch. */
const mostInBatch = 200

/** Batches that are tried before others are let go first. */
const mostAttempts = 10

interface Waiting {
  readonly place: EnvironmentKeys
  readonly reports: Report[]
  readonly ids: Set<string>
}

/**
 * Makes an empty tally.
 *
 * @param flushMs how long reports may wait, ms; 0 writes each at once.
 */
export function evaluationTally(storage: AccountStorage, host: Host, flushMs: number): EvaluationTally {
  return new ReportTally(storage, host, flushMs)
}

class ReportTally implements EvaluationTally {
  readonly #storage: AccountStorage
  readonly #host: Host
  readonly #flushMs: number
  #waiting = new Map<string, Waiting>()
  #counters = 0
  #since: number | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(storage: AccountStorage, host: Host, flushMs: number) {
    this.#storage = storage
    this.#host = host
    this.#flushMs = flushMs
  }

  add(place: EnvironmentKeys, report: Report): void {
    this.#put(place, [report])
  }

  /** One after the other, so that two of them do not stand in each other's way. */
  flush(): Promise<void> {
    const turn = this.#writing.then(() => (this.#waiting.size > 0 ? this.#write() : undefined))
    this.#writing = turn.catch(() => {})
    return turn
  }

  async flushIfDue(): Promise<void> {
    const since = this.#since
    if (since === undefined || (this.#host.now() - since < this.#flushMs && this.#counters < mostWaiting)) return
    await this.flush().catch((error) => this.#host.log({ level: 'warn', event: 'evaluations-not-written', error }))
  }

  #put(place: EnvironmentKeys, reports: readonly Report[]): void {
    const name = `${place.projectKey}:${place.environmentKey}`
    const known = this.#waiting.get(name) ?? { place, reports: [], ids: new Set() }
    this.#waiting.set(name, known)
    for (const report of reports) {
      if (report.id !== undefined && known.ids.has(report.id)) continue
      if (report.id !== undefined) known.ids.add(report.id)
      known.reports.push(report)
      this.#counters += report.evaluations.length + 1
      this.#since ??= this.#host.now()
    }
  }

  #dropOldest(): void {
    const before = this.#counters
    for (const { reports } of this.#waiting.values()) {
      while (this.#counters > mostWaiting && reports.length > 0)
        this.#counters -= (reports.shift()?.evaluations.length ?? 0) + 1
    }
    const dropped = before - this.#counters
    if (dropped > 0) this.#host.log({ level: 'error', event: 'evaluations-lost', message: `${dropped} counters` })
  }

  async #write(): Promise<void> {
    const taken = [...this.#waiting.values()]
    this.#waiting = new Map()
    this.#counters = 0
    this.#since = undefined
    let failure: { readonly error: unknown } | undefined
    for (const { place, reports } of taken) {
      for (let from = 0; from < reports.length; from += mostInBatch) {
        const some = reports.slice(from, from + mostInBatch)
        await store(this.#storage, place, some, this.#host.now()).catch((error) => {
          failure = { error }
          this.#put(place, some)
        })
      }
    }
    if (!failure) return
    this.#dropOldest()
    throw failure.error
  }
}

/** Writes reports of one environment; those that were counted before, by whichever process, are left out. */
async function store(
  storage: AccountStorage,
  place: EnvironmentKeys,
  reports: readonly Report[],
  now: number,
): Promise<void> {
  let left = reports
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    if (left.length === 0) return
    const result = await storage.commit(await evaluationBatch(storage, place, left, now))
    if (result.outcome === 'committed') return
    const repeated = left.filter(isNoted)[result.change]
    if (result.outcome !== 'exists' || !repeated) continue
    left = left.filter((report) => report !== repeated)
    attempt--
  }
  throw new Error('evaluations: others were faster each time')
}
