import { createEngine } from '@halyard/core'
import { withMcp } from '@halyard/mcp'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()

// #region policy
const policy = [
  { effect: 'allow', resources: ['proj/web'], actions: ['viewProject'] },
  { effect: 'allow', resources: ['proj/web:env/*:flag/*'], actions: ['updateOn', 'createApprovalRequest'] },
] as const
const handler = withMcp(createFetchHandler(engine), engine, { policy })
// #endregion

export default { fetch: handler }
