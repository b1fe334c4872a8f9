import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()

// #region oidc
import { jwtIdentifier } from '@halyard/oidc'
import { createFetchHandler } from '@halyard/transport-fetch'

const identify = jwtIdentifier({
  issuer: 'https://token.actions.githubusercontent.com',
  audience: 'https://flags.example.com',
  services: [{ subject: 'repo:acme/shop:ref:refs/heads/main', role: 'writer' }],
})
export default { fetch: createFetchHandler(engine, { identify }) }
// #endregion
