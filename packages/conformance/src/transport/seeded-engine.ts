import { createEngine, type Engine, type EngineInput } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createDeterministicHost } from '@halyard/testing'

/** The administrator's token in a seeded engine. */
export const adminToken = 'api-administrator-0001'

/** The time of a seeded engine's clock, integer ms. */
export const seededNow = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

/**
 * Creates a deterministic engine with an administrator: two such engines return equal responses to equal requests.
 *
 * @param input options of the engine that replace the default ones of the suite; rate limits are off unless `input`
 *   sets them.
 *
 * @example
 * ```ts
 * import { adminToken, seededEngine } from '@halyard/conformance'
 *
 * const engine = await seededEngine()
 * const { items } = await engine.api.listProjects({}, { as: adminToken })
 * console.log(items.length) // 0
 * ```
 */
export async function seededEngine(input: Partial<EngineInput> = {}, storage?: Storage): Promise<Engine> {
  const { clock, newId, randomHex } = createDeterministicHost(seededNow)
  const engine = createEngine({
    storage: storage ?? createMemoryStorage(),
    clock,
    newId,
    randomHex,
    rateLimit: false,
    ...input,
  })
  await engine.migrate()
  await engine.bootstrap({ token: adminToken })
  return engine
}
