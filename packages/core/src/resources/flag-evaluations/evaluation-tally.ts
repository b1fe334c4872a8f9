import type { Host } from '../../operation/context.ts'
import type { AccountStorage } from '../../storage/port.ts'
import type { EnvironmentKeys } from '../evaluation/environment-content.ts'
import { evaluationBatch, isRecorded, type Report } from './evaluation-batch.ts'

/** Collects the reports of SDKs, and writes them periodically. */
export interface EvaluationTally {
  /** Adds a report. A report whose id is already pending is a repetition and is ignored. */
  add(keys: EnvironmentKeys, report: Report): void
  /**
   * Writes when the interval has passed or many counters are pending. Never rejects: reports that could not be written
   * stay pending.
   */
  flushIfDue(): Promise<void>
  /**
   * Writes all pending reports: one batch for each environment and two hundred reports.
   *
   * @throws any error of the storage. Reports that were not written stay pending.
   */
  flush(): Promise<void>
}

/**
 * Maximum number of pending counters. Above it the next report is written at once, and when that fails the oldest are
 * dropped.
 */
const maxPendingCounters = 100_000

/** Maximum number of reports in a batch. */
const maxReportsPerBatch = 200

/** Maximum number of attempts to commit a batch that conflicts with others. */
const maxAttempts = 10

interface PendingReports {
  readonly keys: EnvironmentKeys
  readonly reports: Report[]
  readonly ids: Set<string>
}

/**
 * Makes an empty tally.
 *
 * @param flushMs maximum time for which reports stay pending, in ms; 0 writes each at once.
 */
export function evaluationTally(storage: AccountStorage, host: Host, flushMs: number): EvaluationTally {
  return new ReportTally(storage, host, flushMs)
}

class ReportTally implements EvaluationTally {
  readonly #storage: AccountStorage
  readonly #host: Host
  readonly #flushMs: number
  #pending = new Map<string, PendingReports>()
  #pendingCounters = 0
  #pendingSince: number | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(storage: AccountStorage, host: Host, flushMs: number) {
    this.#storage = storage
    this.#host = host
    this.#flushMs = flushMs
  }

  add(keys: EnvironmentKeys, report: Report): void {
    this.#put(keys, [report])
  }

  /** Writes run one after the other, so that they do not conflict. */
  flush(): Promise<void> {
    const flushed = this.#writing.then(() => (this.#pending.size > 0 ? this.#write() : undefined))
    this.#writing = flushed.catch(() => {})
    return flushed
  }

  async flushIfDue(): Promise<void> {
    const pendingSince = this.#pendingSince
    if (
      pendingSince === undefined ||
      (this.#host.now() - pendingSince < this.#flushMs && this.#pendingCounters < maxPendingCounters)
    )
      return
    await this.flush().catch((error) => this.#host.log({ level: 'warn', event: 'evaluations-not-written', error }))
  }

  #put(keys: EnvironmentKeys, reports: readonly Report[]): void {
    const name = `${keys.projectKey}:${keys.environmentKey}`
    const entry = this.#pending.get(name) ?? { keys, reports: [], ids: new Set() }
    this.#pending.set(name, entry)
    for (const report of reports) {
      if (report.id !== undefined && entry.ids.has(report.id)) continue
      if (report.id !== undefined) entry.ids.add(report.id)
      entry.reports.push(report)
      this.#pendingCounters += report.evaluations.length + 1
      this.#pendingSince ??= this.#host.now()
    }
  }

  #dropOldest(): void {
    const before = this.#pendingCounters
    for (const { reports } of this.#pending.values()) {
      while (this.#pendingCounters > maxPendingCounters && reports.length > 0)
        this.#pendingCounters -= (reports.shift()?.evaluations.length ?? 0) + 1
    }
    const dropped = before - this.#pendingCounters
    if (dropped > 0) this.#host.log({ level: 'error', event: 'evaluations-lost', message: `${dropped} counters` })
  }

  async #write(): Promise<void> {
    const entries = [...this.#pending.values()]
    this.#pending = new Map()
    this.#pendingCounters = 0
    this.#pendingSince = undefined
    let failure: { readonly error: unknown } | undefined
    for (const { keys, reports } of entries) {
      for (let from = 0; from < reports.length; from += maxReportsPerBatch) {
        const batch = reports.slice(from, from + maxReportsPerBatch)
        await writeReports(this.#storage, keys, batch, this.#host.now()).catch((error) => {
          failure = { error }
          this.#put(keys, batch)
        })
      }
    }
    if (!failure) return
    this.#dropOldest()
    throw failure.error
  }
}

/** Writes reports of one environment, without those that any process has counted before. */
async function writeReports(
  storage: AccountStorage,
  keys: EnvironmentKeys,
  reports: readonly Report[],
  now: number,
): Promise<void> {
  let remaining = reports
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (remaining.length === 0) return
    const result = await storage.commit(await evaluationBatch(storage, keys, remaining, now))
    if (result.outcome === 'committed') return
    const knownReport = remaining.filter(isRecorded)[result.change]
    if (result.outcome !== 'exists' || !knownReport) continue
    remaining = remaining.filter((report) => report !== knownReport)
    attempt--
  }
  throw new Error('evaluations: every attempt conflicted with another write')
}
