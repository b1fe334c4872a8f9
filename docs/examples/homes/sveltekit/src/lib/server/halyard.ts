import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = createEngine({ storage: createMemoryStorage() })

/** Prepares the storage when the server starts. The build loads this module too, and must not prepare a storage. */
export async function openEngine(): Promise<void> {
  await engine.migrate()
  await engine.bootstrap({ token: process.env.HALYARD_TOKEN })
}

export const handler = createFetchHandler(engine)
export const flags = engine.evaluator({ projectKey: 'shop', environmentKey: 'production' })
