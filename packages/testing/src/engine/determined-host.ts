import type { EngineInput } from '@halyard/core'

/** The clock, ids and random values of an engine, all deterministic: two hosts return the same sequence. */
export interface DeterminedHost extends Required<Pick<EngineInput, 'clock' | 'newId' | 'randomHex'>> {
  /** @param ms integer milliseconds; negative values set the clock back. */
  advance(ms: number): void
  save(): HostMoment
  restore(moment: HostMoment): void
}

/** A saved state of a host: its time, and the number of ids and secrets that it made. */
export interface HostMoment {
  readonly now: number
  readonly ids: number
  readonly secrets: number
}

/**
 * Makes a host whose clock stands at `now` (integer ms, UTC) until it is moved.
 *
 * @example
 * ```ts
 * import { createEngine } from '@halyard/core'
 * import { createMemoryStorage } from '@halyard/storage-memory'
 * import { determinedHost } from '@halyard/testing'
 *
 * const { clock, newId, randomHex, advance } = determinedHost(Date.UTC(2026, 0, 1))
 * const engine = createEngine({ storage: createMemoryStorage(), clock, newId, randomHex })
 * await engine.migrate()
 * advance(60_000)
 * console.log(new Date(clock()).toISOString()) // 2026-01-01T00:01:00.000Z
 * ```
 */
export function determinedHost(now: number): DeterminedHost {
  let moment: HostMoment = { now, ids: 0, secrets: 0 }
  return {
    clock: () => moment.now,
    newId() {
      moment = { ...moment, ids: moment.ids + 1 }
      return `00000000-0000-4000-8000-${String(moment.ids).padStart(12, '0')}`
    },
    randomHex(bytes) {
      moment = { ...moment, secrets: moment.secrets + 1 }
      return moment.secrets.toString(16).padStart(bytes * 2, '0')
    },
    advance(ms) {
      if (!Number.isSafeInteger(ms)) throw new RangeError(`advance: ${ms} is not an integer number of milliseconds`)
      moment = { ...moment, now: moment.now + ms }
    },
    save: () => moment,
    restore(saved) {
      moment = saved
    },
  }
}
