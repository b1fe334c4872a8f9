import { readFileSync } from 'node:fs'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'
import { serve } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

const as = process.env.HALYARD_TOKEN ?? ''
const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
await engine.bootstrap({ token: as })

// #region serve
const defaultClientSideAvailability = { usingEnvironmentId: true, usingMobileKey: false }
await engine.api.createProject({ body: { key: 'shop', name: 'Shop', defaultClientSideAvailability } }, { as })
const { _id } = await engine.api.getEnvironment({ projectKey: 'shop', environmentKey: 'production' }, { as })
const page = readFileSync('dist/index.html', 'utf8').replace('{environmentId}', _id)
const features = withSdk(createFetchHandler(engine), engine)

const app = new Hono()
app.get('/', (c) => c.html(page))
app.use('/assets/*', serveStatic({ root: 'dist' }))
app.all('*', (c) => features(c.req.raw))
// #endregion

const options = { fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }
serve(options, ({ port }) => console.log(`http://127.0.0.1:${port}`))
