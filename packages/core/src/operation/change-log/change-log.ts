import { series } from '../../storage/collection.ts'
import type { Caller } from '../caller.ts'

/** The change log: one entry for each call that changed something. */
export const changeLog = series({ name: 'change-log', address: 'acct' })

/** The caller whom an entry names. */
export type Author = Pick<Caller, 'id' | 'memberId' | 'tokenId'>

/** The position of an entry in the change log, which is ordered by time, then id. */
export interface LogPosition {
  /** Integer milliseconds, UTC. */
  readonly at: number
  readonly id: string
}

/** Digits of the counter in base 36: enough for a million entries a second for a month. */
const counterDigits = 8

/** Number of random bytes in an id that distinguish the entries of different engines. */
const engineIdBytes = 8

/**
 * Assigns positions to the entries of one engine.
 *
 * Its time never goes back, and a counter is part of the id, so an entry has a later position than all entries that the
 * same engine made before, even when the clock goes back. A random part distinguishes engines. The entries of two
 * engines are ordered by their clocks.
 */
export class LogOrder {
  readonly #host: { randomHex(bytes: number): string }
  #engineId: string | undefined
  #count = 0
  #latest = Number.NEGATIVE_INFINITY

  /** @param host makes the random part when the first position is assigned. */
  constructor(host: { randomHex(bytes: number): string }) {
    this.#host = host
  }

  /**
   * Returns the position after all that were assigned before.
   *
   * @param now when the commit begins, integer milliseconds, UTC.
   */
  next(now: number): LogPosition {
    this.#engineId ??= this.#host.randomHex(engineIdBytes)
    this.#latest = Math.max(this.#latest, now)
    return { at: this.#latest, id: `${(this.#count++).toString(36).padStart(counterDigits, '0')}${this.#engineId}` }
  }

  /** Allows the clock to go back once. An id is still never assigned twice. */
  restart(): void {
    this.#latest = Number.NEGATIVE_INFINITY
  }
}
