import { environments } from '../../models/environments/environment.ts'
import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { evaluationReports } from '../../models/flag-evaluations/flag-evaluation.ts'
import type { Host } from '../../operation/context.ts'
import type { AccountStorage, Change } from '../../storage/port.ts'
import type { EventConsumer, EventReport } from './event-consumer.ts'

/** Collects events for all consumers, and periodically writes the changes that the consumers make from them. */
export interface EventIntake {
  /** Adds a report. A report whose id is already pending is a repetition and is ignored. */
  add(environmentKeys: EnvironmentKeys, report: EventReport): void
  /**
   * Writes when the interval has passed or many items are pending. Never rejects: reports that could not be written
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
 * Maximum number of pending items. Above it the pending reports are written immediately, and when that fails the oldest
 * are dropped.
 */
const maxPendingItems = 100_000

/** Maximum number of reports in a batch. */
const maxReportsPerBatch = 200

/** Maximum number of items in a merged report. Reports without an id are merged up to this number. */
const maxMergedItems = 1000

/** Maximum number of attempts to commit a batch that conflicts with others. */
const maxAttempts = 10

/** The items of a report by consumer, or of several reports without an id. */
interface PendingReport {
  /** Id of the report that is stored when the report is written; undefined for a report without an id. */
  readonly recordedId: string | undefined
  readonly at: number
  readonly items: readonly unknown[][]
  size: number
}

interface PendingReports {
  readonly environmentKeys: EnvironmentKeys
  readonly reports: PendingReport[]
  readonly ids: Set<string>
}

/** The consumers of events, and the time between two commits in ms. */
export interface IntakeOptions {
  readonly consumers: readonly EventConsumer[]
  /** Maximum time for which items stay pending, in ms; 0 writes each report immediately. */
  readonly flushMs: number
}

/** Makes an empty intake. */
export function eventIntake(storage: AccountStorage, host: Host, options: IntakeOptions): EventIntake {
  return new ReportIntake(storage, host, options)
}

class ReportIntake implements EventIntake {
  readonly #storage: AccountStorage
  readonly #host: Host
  readonly #consumers: readonly EventConsumer[]
  readonly #flushMs: number
  #pending = new Map<string, PendingReports>()
  #pendingItems = 0
  #pendingSince: number | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(storage: AccountStorage, host: Host, { consumers, flushMs }: IntakeOptions) {
    this.#storage = storage
    this.#host = host
    this.#consumers = consumers
    this.#flushMs = flushMs
  }

  add(environmentKeys: EnvironmentKeys, report: EventReport): void {
    const { id, trusted, at } = report
    const { ids, reports } = this.#entryOf(environmentKeys)
    if (id !== undefined && ids.has(id)) return
    if (id !== undefined) ids.add(id)
    const items = this.#consumers.map((consumer) => [...consumer.take(report, environmentKeys)])
    const size = items.reduce((sum, { length }) => sum + length, 0)
    if (size === 0) return
    const recordedId = trusted ? id : undefined
    const last = reports.at(-1)
    if (last && recordedId === undefined && last.recordedId === undefined && last.size < maxMergedItems) {
      for (const [index, taken] of items.entries()) last.items[index]?.push(...taken)
      last.size += size
    } else {
      reports.push({ recordedId, at, items, size })
    }
    const before = this.#pendingItems
    this.#countPending(size)
    // Calls in process do not wait for a write, so the intake starts it: once for each further `maxPendingItems` items,
    // because the storage may be unavailable.
    if (Math.floor(before / maxPendingItems) < Math.floor(this.#pendingItems / maxPendingItems)) void this.flushIfDue()
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
      (this.#host.now() - pendingSince < this.#flushMs && this.#pendingItems < maxPendingItems)
    )
      return
    await this.flush().catch((error) => this.#host.log({ level: 'warn', event: 'events-not-written', error }))
  }

  #entryOf(environmentKeys: EnvironmentKeys): PendingReports {
    const name = `${environmentKeys.projectKey}:${environmentKeys.environmentKey}`
    const entry = this.#pending.get(name) ?? { environmentKeys, reports: [], ids: new Set() }
    this.#pending.set(name, entry)
    return entry
  }

  #countPending(items: number): void {
    this.#pendingItems += items
    this.#pendingSince ??= this.#host.now()
  }

  /**
   * Puts reports that could not be written back into the queue. A report is left out if a repetition of it has arrived
   * in the meantime.
   */
  #putBack(environmentKeys: EnvironmentKeys, unwritten: readonly PendingReport[]): void {
    const { ids, reports } = this.#entryOf(environmentKeys)
    for (const report of unwritten) {
      if (report.recordedId !== undefined && ids.has(report.recordedId)) continue
      if (report.recordedId !== undefined) ids.add(report.recordedId)
      reports.push(report)
      this.#countPending(report.size)
    }
  }

  #dropOldest(): void {
    const before = this.#pendingItems
    for (const { reports } of this.#pending.values()) {
      while (this.#pendingItems > maxPendingItems && reports.length > 0)
        this.#pendingItems -= reports.shift()?.size ?? 0
    }
    const dropped = before - this.#pendingItems
    if (dropped > 0) this.#host.log({ level: 'error', event: 'events-lost', message: `${dropped} items` })
  }

  async #write(): Promise<void> {
    const entries = [...this.#pending.values()]
    this.#pending = new Map()
    this.#pendingItems = 0
    this.#pendingSince = undefined
    let failure: { readonly error: unknown } | undefined
    for (const { environmentKeys, reports } of entries) {
      for (let from = 0; from < reports.length; from += maxReportsPerBatch) {
        const batch = reports.slice(from, from + maxReportsPerBatch)
        await this.#writeReports(environmentKeys, batch).catch((error) => {
          failure = { error }
          this.#putBack(environmentKeys, batch)
        })
      }
    }
    if (!failure) return
    this.#dropOldest()
    throw failure.error
  }

  /**
   * Writes reports of one environment, without those whose id any process has stored before. Reports of an environment
   * that was deleted are dropped.
   */
  async #writeReports(environmentKeys: EnvironmentKeys, reports: readonly PendingReport[]): Promise<void> {
    let remaining = reports
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const environment = await this.#storage.get(environments.id(environmentKeys))
      if (remaining.length === 0 || !environment) return
      const recorded = remaining.filter(({ recordedId }) => recordedId !== undefined)
      const result = await this.#storage.commit([
        ...recorded.map((report) => reportChange(environmentKeys, report)),
        { do: 'expect', id: environments.id(environmentKeys), version: environment.version },
        ...(await this.#changes(environmentKeys, remaining)),
      ])
      if (result.outcome === 'committed') return
      const knownReport = recorded[result.change]
      if (result.outcome !== 'exists' || !knownReport) continue
      remaining = remaining.filter((report) => report !== knownReport)
      attempt--
    }
    throw new Error('events: every attempt to write them conflicted with another write')
  }

  async #changes(environmentKeys: EnvironmentKeys, reports: readonly PendingReport[]): Promise<readonly Change[]> {
    const changes = await Promise.all(
      this.#consumers.map((consumer, index) => {
        const items = reports.flatMap((report) => report.items[index] as unknown[])
        return items.length === 0 ? [] : consumer.changes(this.#storage, environmentKeys, items, this.#host)
      }),
    )
    return changes.flat()
  }
}

function reportChange(environmentKeys: EnvironmentKeys, { recordedId, at }: PendingReport): Change {
  const body = { at, version: 1 }
  const id = evaluationReports.id({ ...environmentKeys, reportId: recordedId as string })
  return { do: 'insert', id, body, fields: evaluationReports.fields(body) }
}
