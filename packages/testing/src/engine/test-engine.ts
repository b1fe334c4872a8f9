import { createEngine, type Engine, type EngineInput } from '@halyard/core'
import { createMemoryStorage, type MemorySnapshot } from '@halyard/storage-memory'
import { createDeterministicHost, type HostState } from './deterministic-host.ts'
import { createFixtures, type TestFixtures } from './test-fixtures.ts'

/** The options of an engine, without those that a test engine sets itself. */
export interface TestEngineInput extends Omit<EngineInput, 'storage' | 'clock' | 'newId' | 'randomHex'> {
  /** Initial time of the clock, integer ms, UTC. Default: the first instant of 2026. */
  readonly now?: number
}

/**
 * The state of a test engine: its storage, its clock, and the numbers of ids and tokens that it has created. The value
 * is opaque.
 */
export interface TestState {
  readonly stored: MemorySnapshot
  readonly host: HostState
}

/** An engine for tests, with a fixed clock and deterministic ids and tokens. */
export interface TestEngine extends Engine {
  /** The administrator's token. */
  readonly admin: string
  /** Creates resources for a test: `await engine.given.project('web')`. */
  readonly given: TestFixtures
  /** Returns the time of the clock, integer ms, UTC. */
  now(): number
  /**
   * Moves the clock, which stays still otherwise.
   * @throws RangeError when `ms` is not an integer.
   */
  advance(ms: number): void
  /** Returns the current state, in microseconds, however much is stored. */
  save(): TestState
  /**
   * Restores a state, any number of times, in microseconds. Resources that are created afterwards get the same ids
   * and tokens again.
   */
  restore(state: TestState): void
}

/** The date has no meaning, but must never change. */
const firstInstant = Date.UTC(2026, 0, 1)

/**
 * Creates a deterministic engine for tests: in memory, migrated, with an administrator. Two such engines return equal
 * responses to equal requests, and they share nothing, so suites can run concurrently.
 *
 * @param input options of the engine that replace the default ones for tests; rate limits are off unless `input` sets
 *   them.
 * @throws RangeError naming an invalid option.
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
  const host = createDeterministicHost(now)
  const { clock, newId, randomHex } = host
  const engine = createEngine({ rateLimit: false, ...options, storage, clock, newId, randomHex })
  await engine.migrate()
  const bootstrapResult = await engine.bootstrap()
  const admin = bootstrapResult?.token as string
  return {
    ...engine,
    admin,
    given: createFixtures(engine.api, admin),
    now: clock,
    advance: host.advance,
    save: () => ({ stored: storage.snapshot(), host: host.save() }),
    restore({ stored, host: hostState }) {
      storage.restore(stored)
      host.restore(hostState)
      // Versions continue from the restored state, so a document with the version of a cached one may have other
      // content now.
      engine.clearCaches()
    },
  }
}
