import { createEngine, type Engine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

// Next loads this module for pages and again for routes, which share the engine.
const shared = globalThis as typeof globalThis & { halyard?: Promise<Engine> }

async function openEngine(): Promise<Engine> {
  const engine = createEngine({ storage: createMemoryStorage() })
  await engine.migrate()
  await engine.bootstrap({ token: process.env.HALYARD_TOKEN })
  return engine
}

shared.halyard ??= openEngine()
export const engine = await shared.halyard
export const handler = createFetchHandler(engine)
export const flags = engine.evaluator({ projectKey: 'shop', environmentKey: 'production' })
