import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'

/** Serves an engine for the examples. */
export async function serve() {
  const engine = createEngine({ storage: createMemoryStorage() })
  await engine.migrate()
  const token = (await engine.bootstrap())?.token ?? ''
  const server = createServer(createExpressHandler(engine))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return { engine, token, baseUrl: `http://127.0.0.1:${port}`, close: () => server.close() }
}
