// #region server
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
const authorization = (await engine.bootstrap())?.token ?? ''

const server = createServer(createExpressHandler(engine, { basePath: '/features' }))
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
// #endregion

const response = await fetch(`http://127.0.0.1:${port}/features/api/v2/projects`, { headers: { authorization } })
console.log(response.status, response.headers.get('content-type'))

// #region stop
server.close().closeIdleConnections()
await once(server, 'close')
await engine.close()
// #endregion
