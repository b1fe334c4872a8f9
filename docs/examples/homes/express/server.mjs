import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'
import express from 'express'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
await engine.bootstrap({ token: process.env.HALYARD_TOKEN })

// #region mount
const app = express()
app.use('/features', createExpressHandler(engine))
app.get('/', (_req, res) => res.send('the shop'))

const server = app.listen(process.env.PORT ?? 3000, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`)
})
// #endregion
