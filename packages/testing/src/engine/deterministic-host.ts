import type { EngineInput } from '@halyard/core'

/** The clock, ids and random values of an engine, all deterministic: two hosts return the same sequence. */
export interface DeterministicHost extends Required<Pick<EngineInput, 'clock' | 'newId' | 'randomHex'>> {
  /**
   * Sets the clock forward.
   *
   * @param ms integer milliseconds; negative values set the clock back.
   */
  advance(ms: number): void
  save(): HostState
  restore(state: HostState): void
}

/** A saved state of a host: its time, and the number of ids and secrets that it has created. */
export interface HostState {
  readonly now: number
  readonly ids: number
  readonly secrets: number
}

/**
 * Creates a host whose clock stays at `now` (integer ms, UTC) until `advance` moves it.
 *
 * @example
 * ```ts
 * import { createEngine } from '@halyard/core'
 * import { createMemoryStorage } from '@halyard/storage-memory'
 * import { createDeterministicHost } from '@halyard/testing'
 *
 * const { clock, newId, randomHex, advance } = createDeterministicHost(Date.UTC(2026, 0, 1))
 * const engine = createEngine({ storage: createMemoryStorage(), clock, newId, randomHex })
 * await engine.migrate()
 * advance(60_000)
 * console.log(new Date(clock()).toISOString()) // 2026-01-01T00:01:00.000Z
 * ```
 */
export function createDeterministicHost(now: number): DeterministicHost {
  let state: HostState = { now, ids: 0, secrets: 0 }
  return {
    clock: () => state.now,
    newId() {
      state = { ...state, ids: state.ids + 1 }
      return `00000000-0000-4000-8000-${String(state.ids).padStart(12, '0')}`
    },
    randomHex(bytes) {
      state = { ...state, secrets: state.secrets + 1 }
      return state.secrets.toString(16).padStart(bytes * 2, '0')
    },
    advance(ms) {
      if (!Number.isSafeInteger(ms)) throw new RangeError(`advance: ${ms} must be an integer number of milliseconds`)
      state = { ...state, now: state.now + ms }
    },
    save: () => state,
    restore(savedState) {
      state = savedState
    },
  }
}
