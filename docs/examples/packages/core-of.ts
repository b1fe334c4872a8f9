import { createMemoryStorage } from '@halyard/storage-memory'
// #region engine
import { createEngineOf, getFlag, segments, webhooks, webhookWorker } from '@halyard/core/operations'

const createEngine = createEngineOf({
  operations: [getFlag, ...segments.operations, ...webhooks.operations],
  workers: [webhookWorker],
})
// #endregion
const engine = createEngine({ storage: createMemoryStorage() })
console.log('getFlag' in engine.api, 'getTeam' in engine.api)
await engine.close()
