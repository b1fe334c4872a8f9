import { serve } from '@hono/node-server'
import app from './app.ts'

const options = { fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' }
serve(options, ({ port }) => console.log(`http://127.0.0.1:${port}`))
