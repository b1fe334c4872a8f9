import { createEngine, type Engine, type EngineInput } from '@halyard/core'
import { createMemoryStorage, type MemorySnapshot } from '@halyard/storage-memory'
import { determinedHost, type HostMoment } from './determined-host.ts'
import { type Given, givenThrough } from './given.ts'

/** The options of an engine but for those that a test engine sets itself. */
export interface TestEngineInput extends Omit<EngineInput, 'storage' | 'clock' | 'newId' | 'randomHex'> {
  /** Where the clock stands at first, integer ms, UTC. Default: the first instant of 2026. */
  readonly now?: number
}

/** A moment of a test engine: its storage, its clock, and how many ids and tokens it has made; opaque. */
export interface TestSnapshot {
  readonly stored: MemorySnapshot
  readonly host: HostMoment
}

/** An engine whose time stands still and whose chance is always the same. */
export interface TestEngine extends Engine {
  /** The value of the administrator's token. */
  readonly admin: string
  /** Makes what a test stands on: `await engine.given.project('web')`. */
  readonly given: Given
  /** What the clock shows, integer ms, UTC. */
  now(): number
  /**
   * Moves the clock; it stands still otherwise.
   *
   * @throws RangeError when `ms` is no integer.
   */
  advance(ms: number): void
  /** Keeps this moment. Takes microseconds, however much is stored. */
  snapshot(): TestSnapshot
  /**
   * Goes back to a moment, as often as you like. Takes microseconds, however much is stored. What is made
   * next has the same ids and tokens again.
   */
  restore(snapshot: TestSnapshot): void
}

/** Day and time mean nothing; that they never change does. */
const firstInstant = Date.UTC(2026, 0, 1)

/**
 * Makes an engine for tests: in memory, migrated, with an administrator, and with nothing left to chance. Two of them,
 * asked the same, answer the same, and they share nothing, so suites can run beside each other.
 *
 * @param input options that differ from the usual ones; rate limits are off unless given.
 * @throws RangeError naming an option that makes no sense.
 *
 * @example
 * ```ts
 * import { createTestEngine } from '@halyard/testing'
 *
 * const engine = await createTestEngine()
 * await engine.given.project('web')
 * const project = await engine.api.getProject({ projectKey: 'web' }, { as: engine.admin })
 * console.log(project.key) // web
 * ```
 */
export async function createTestEngine(input: TestEngineInput = {}): Promise<TestEngine> {
  const { now = firstInstant, ...options } = input
  const storage = createMemoryStorage()
  const host = determinedHost(now)
  const { clock, newId, randomHex } = host
  const engine = createEngine({ rateLimit: false, ...options, storage, clock, newId, randomHex })
  await engine.migrate()
  const made = await engine.bootstrap()
  const admin = made?.token as string
  return {
    ...engine,
    admin,
    given: givenThrough(engine.api, admin),
    now: clock,
    advance: host.advance,
    snapshot: () => ({ stored: storage.snapshot(), host: host.save() }),
    restore({ stored, host: moment }) {
      storage.restore(stored)
      host.restore(moment)
      // Versions start again from the snapshot: a document of the same version may now say something else.
      engine.clearCaches()
    },
  }
}
