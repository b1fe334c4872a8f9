import { storageConformance } from '@halyard/conformance'
import type { Storage } from '@halyard/core/storage'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { neonConfig, Pool } from '@neondatabase/serverless'
import pg from 'pg'
import { afterAll, describe, it } from 'vitest'
import { WebSocket } from 'ws'
import { ownDatabase } from './setup/own-database.ts'
import { selectClientCases } from './setup/runs-all-cases.ts'
import { uniqueSchema } from './setup/schemas-of-postgres.ts'
import { testPostgres } from './setup/test-postgres.ts'
import { startWebSocketProxy } from './setup/web-socket-proxy.ts'

const database = await ownDatabase()
const proxy = await startWebSocketProxy(testPostgres)

neonConfig.webSocketConstructor = WebSocket
neonConfig.wsProxy = () => proxy.address
neonConfig.useSecureWebSocket = false
neonConfig.pipelineTLS = false
neonConfig.pipelineConnect = false

const { user, password, database: name } = new pg.Client({ connectionString: database.url })
const pool = new Pool({ host: 'localhost', user, password: password ?? undefined, database: name, max: 8 })
const schemas = new Map<Storage, string>()
afterAll(async () => {
  for (const storage of schemas.keys()) await storage.close()
  await pool.end()
  await proxy.close()
  await database.drop()
})

function openOn(schema: string): Storage {
  const storage = createPostgresStorage({ pool, schema })
  schemas.set(storage, schema)
  return storage
}

describe('storage on the WebSocket pool of @neondatabase/serverless', () => {
  const cases = storageConformance({
    async open() {
      const storage = openOn(uniqueSchema())
      await storage.migrate()
      return storage
    },
    async reopen(storage) {
      await storage.close()
      return openOn(schemas.get(storage) as string)
    },
    openSecond: async (storage) => openOn(schemas.get(storage) as string),
  })
  // The client of Neon is the client of `pg` on another socket.
  for (const { group, name, run } of selectClientCases(cases)) it(`${group}: ${name}`, run, 60_000)
})
