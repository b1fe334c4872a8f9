import { createMemoryStorage } from '@halyard/storage-memory'
// #region engine
import { createEngineOf, getFlag, segmentOperations, webhookOperations, webhookWorker } from '@halyard/core/operations'

const createEngine = createEngineOf({
  operations: [getFlag, ...segmentOperations, ...webhookOperations],
  workers: [webhookWorker],
})
// #endregion
await using engine = createEngine({ storage: createMemoryStorage() })
console.log('getFlag' in engine.api, 'getTeam' in engine.api)
