import { createServer } from 'node:http'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
await engine.bootstrap({ token: process.env.HALYARD_TOKEN })

// #region mount
export const server = createServer(createExpressHandler(engine))
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
// #endregion
