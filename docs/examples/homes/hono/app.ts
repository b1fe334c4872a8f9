import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import { Hono } from 'hono'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
await engine.bootstrap({ token: process.env.HALYARD_TOKEN })

// #region mount
const app = new Hono()
app.mount('/features', createFetchHandler(engine, { mountPath: '/features' }))

const flags = engine.evaluator({ projectKey: 'shop', environmentKey: 'production' })
app.get('/', (c) => {
  const { value } = flags.evaluate('checkout', { kind: 'user', key: 'ann' }, false)
  return c.text(value ? 'the new shop' : 'the shop')
})
// #endregion

export default app
