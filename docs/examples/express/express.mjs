import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressHandler } from '@halyard/transport-express'

/** Creates an application with routes of its own next to the API, on the given version of Express. */
export async function application(express, token) {
  const engine = createEngine({ storage: createMemoryStorage() })
  await engine.migrate()
  await engine.bootstrap({ token })

  // #region mount
  const app = express()
  app.get('/health', (_req, res) => res.send('ok'))
  app.use('/features', createExpressHandler(engine))
  app.use(express.json())
  app.post('/orders', (req, res) => res.json({ ordered: req.body.item }))
  // #endregion
  return { app, engine }
}

/** Creates an application with a body parser before the API. */
export async function parsedBefore(express, engine) {
  // #region parser
  const app = express()
  app.use(express.json({ limit: '1mb' }))
  app.use(createExpressHandler(engine))
  // #endregion
  return app
}

/** Creates an application with the API only. */
export function alone(express, engine) {
  // #region alone
  const app = express()
  app.use('/features', createExpressHandler(engine))
  // #endregion
  return app
}
