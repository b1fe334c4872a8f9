import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createEngine } from '@halyard/core'
import { createExpressHandler } from '@halyard/transport-express'
import { openStorage } from '../../packages/cli/src/open-storage.ts'

// A server with a rate limit low enough for a test to reach it, unlike that of `halyard serve`.
const [, , storageOption = '', token = '', route = '', windowMs = ''] = process.argv

const rateLimit = { route: Number(route), windowMs: Number(windowMs) }
const engine = createEngine({ storage: await openStorage(storageOption), rateLimit })
await engine.migrate()
await engine.bootstrap({ token })
const server = createServer(createExpressHandler(engine))
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`serves http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
