import { changeLog, type LogPosition } from '../../operation/change-log/change-log.ts'
import { entryId } from '../../operation/change-log/entry-id.ts'
import { type ReadableChange, readableChange } from '../../operation/change-log/readable-change.ts'
import { fail } from '../../operation/errors.ts'
import type { ShownFormat } from '../../storage/collection.ts'
import type { AccountStorage, Sample, TouchedRecords } from '../../storage/port.ts'
import { EndedTransactions } from './ended-transactions.ts'
import { inOrderOfVersions } from './order-of-versions.ts'

/** Options of `engine.changes`. */
export interface ChangesOptions {
  /**
   * The `position` of the last change that the caller has processed, or a time (integer ms, UTC) from which changes are
   * requested. Default: the oldest entry of the change log.
   */
  readonly after?: string | number
  /** Ends the iteration when it is aborted. */
  readonly signal?: AbortSignal
  /** Interval, in ms, at which the storage is read while it sends no change notifications. Default 1,000. */
  readonly pollMs?: number
  /**
   * Maximum time, in ms, between the date of a change and the moment at which it is written. It covers the hooks and
   * the difference between the clocks of processes. Transactions of the host may be open for longer. Default 60,000.
   */
  readonly overlapMs?: number
}

/** A change, and the position from which a later iteration continues. */
export interface PositionedChange extends ReadableChange {
  /** Position to pass as `after` when this change and all changes before it have been processed. */
  readonly position: string
}

/** A wait that ends after a time, or earlier when `end` is called. */
export interface Pause {
  readonly ended: Promise<void>
  end(): void
}

/** The parts of an engine that are needed to follow its changes. */
export interface FollowParts {
  readonly storage: AccountStorage
  readonly format: ShownFormat
  now(): number
  pause(ms: number): Pause
}

/** The type of `engine.changes`: yields the changes of an account. */
export type FollowChanges = (parts: FollowParts, options?: ChangesOptions) => AsyncGenerator<PositionedChange>

/** Maximum number of entries in memory at the same time. The ids of entries within `overlapMs` are not included. */
const maxBatch = 1_000

/** Number of entries of one read. */
const pageSize = 200

/**
 * Yields the changes of all processes on the storage, and waits for further changes until the signal is aborted
 * (docs/decisions/0093-read-changes-again-until-none-can-be-late.md).
 *
 * @throws ApiError `invalid_request` naming an option that is invalid.
 */
export const followChanges: FollowChanges = (parts, options = {}) => {
  const { after = 0, signal, pollMs = 1_000, overlapMs = 60_000 } = options
  for (const [attribute, value] of Object.entries({ pollMs, overlapMs })) {
    if (!Number.isSafeInteger(value) || value < 1)
      fail('invalid_request', { errors: [{ attribute, reason: 'must be a positive integer' }] })
  }
  return follow(parts, new LogCursor(startOf(after)), { signal, pollMs, overlapMs })
}

interface FollowOptions {
  readonly signal: AbortSignal | undefined
  readonly pollMs: number
  readonly overlapMs: number
}

async function* follow(
  { storage, format, now, pause }: FollowParts,
  cursor: LogCursor,
  { signal, pollMs, overlapMs }: FollowOptions,
): AsyncGenerator<PositionedChange> {
  const ended = new EndedTransactions()
  let isChanged = true
  let waiting: Pause | undefined
  const wake = () => {
    isChanged = true
    waiting?.end()
  }
  const watch = storage.watch?.((touched) => touchesLog(touched) && wake())
  signal?.addEventListener('abort', wake)
  try {
    while (!signal?.aborted) {
      if (isChanged || !watch?.live()) {
        isChanged = false
        const time = await ended.timeOf(storage, now())
        const batch = await cursor.read(storage, time - overlapMs)
        if (batch.length >= maxBatch) isChanged = true
        for (const { sample, position } of cursor.deliver(batch)) {
          if (signal?.aborted) return
          yield { ...readableChange(sample, format), position: entryId(position) }
        }
      }
      if (isChanged || signal?.aborted) continue
      waiting = pause(pollMs)
      await waiting.ended
    }
  } finally {
    signal?.removeEventListener('abort', wake)
    await watch?.stop()
  }
}

/**
 * The position of an iteration in the change log.
 *
 * An entry has the time at which its commit began, so it can become readable after entries of later times. Entries that
 * are younger than the horizon are therefore read again, and delivered if they were not delivered before. The horizon
 * is before the oldest open transaction.
 */
class LogCursor {
  /** Position up to which all entries were delivered. No further entry before it can become readable. */
  #settled: LogPosition
  /** Positions of the delivered entries that are after `#settled`, by id of the entry. */
  readonly #delivered = new Map<string, LogPosition>()
  #horizon: LogPosition = { at: 0, id: '' }

  constructor(settled: LogPosition) {
    this.#settled = settled
  }

  /**
   * Reads the entries that were not delivered, in the order of the log, at most about `maxBatch`.
   *
   * @param horizon time before which no further entry can become readable, integer ms.
   */
  async read(storage: AccountStorage, horizon: number): Promise<readonly Sample[]> {
    const batch: Sample[] = []
    this.#horizon = { at: horizon, id: '' }
    for (let since = this.#settled; batch.length < maxBatch; ) {
      const page = await storage.newest({ series: changeLog.id({}), since, limit: pageSize })
      for (const sample of page.reverse()) if (!this.#delivered.has(sample.id)) batch.push(sample)
      const last = page.at(-1)
      if (!last || page.length < pageSize) break
      since = last
    }
    return batch
  }

  /** Yields a batch with the changes of each document in their order. */
  *deliver(batch: readonly Sample[]): Generator<{ readonly sample: Sample; readonly position: LogPosition }> {
    let next = 0
    for (const sample of inOrderOfVersions(batch)) {
      this.#delivered.set(sample.id, sample)
      while (next < batch.length && this.#delivered.has((batch[next] as Sample).id)) next++
      this.#settle(batch[next - 1])
      yield { sample, position: this.#settled }
    }
    if (batch.length < maxBatch) this.#settle(this.#horizon)
  }

  /**
   * Moves `settled` to an entry such that all entries up to it were delivered, or to the horizon if that is earlier.
   */
  #settle(reached: LogPosition | undefined): void {
    const target = reached && isBefore(reached, this.#horizon) ? reached : this.#horizon
    if (!reached || !isBefore(this.#settled, target)) return
    this.#settled = { at: target.at, id: target.id }
    for (const [id, position] of this.#delivered) if (!isBefore(target, position)) this.#delivered.delete(id)
  }
}

function isBefore(a: LogPosition, b: LogPosition): boolean {
  return a.at < b.at || (a.at === b.at && a.id < b.id)
}

function startOf(after: string | number): LogPosition {
  if (typeof after === 'number' && Number.isSafeInteger(after) && after >= 0) return { at: after, id: '' }
  const [, time = '', id = ''] = /^([0-9a-z]{1,11})-(.{0,100})$/.exec(String(after)) ?? []
  const at = Number.parseInt(time, 36)
  if (typeof after === 'string' && Number.isSafeInteger(at)) return { at, id }
  const reason = 'must be the `position` of a change, or a time in integer ms'
  return fail('invalid_request', { errors: [{ attribute: 'after', reason }] })
}

/** Returns true when a commit may have added an entry to the change log. */
function touchesLog(touched: readonly TouchedRecords[] | 'anything'): boolean {
  return (
    touched === 'anything' || touched.some(({ kind }) => kind !== 'document' && kind !== 'tasks' && kind !== 'keys')
  )
}
