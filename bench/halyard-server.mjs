// Serves the built packages as a host in production would, for suites that send requests over HTTP. Arguments:
// `express`, `node`, or `uncached` (like `node`, without cached responses); a port; the connection of `pg` as JSON; the
// token of the first administrator.
import { createServer } from 'node:http'
import { createEngine } from '@halyard/core'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { createExpressHandler, createExpressHealth } from '@halyard/transport-express'
import pg from 'pg'

const [, , kind, port, connection, token] = process.argv
const pool = new pg.Pool({ ...JSON.parse(connection), max: 5 })
const storage = createPostgresStorage({ pool })
// Requests are counted as usual, with limits that are never reached.
const rateLimit = { account: 1_000_000_000, route: 1_000_000_000 }
const engine = createEngine({ storage, rateLimit, ...(kind === 'uncached' ? { cache: { responses: 0 } } : {}) })
await engine.migrate()
await engine.bootstrap({ token })
const health = createExpressHealth(engine)
const handler = createExpressHandler(engine)
const listener = (request, response) => health(request, response, () => handler(request, response))
if (kind === 'express') {
  const { default: express } = await import('express')
  createServer(express().use(health).use(handler)).listen(Number(port), '127.0.0.1')
} else createServer(listener).listen(Number(port), '127.0.0.1')
