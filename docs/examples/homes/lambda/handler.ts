import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import { Hono } from 'hono'
import { handle } from 'hono/aws-lambda'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
await engine.bootstrap({ token: process.env.HALYARD_TOKEN })

// #region handler
const app = new Hono()
app.mount('/', createFetchHandler(engine))

/** Handles events of function URLs, of API Gateway, and of load balancers. */
export const handler = handle(app)
// #endregion
