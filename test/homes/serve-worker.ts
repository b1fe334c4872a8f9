import { serve } from '@hono/node-server'
import worker from '../../docs/examples/homes/workers/worker.ts'

const env = { HALYARD_TOKEN: process.env.HALYARD_TOKEN ?? '' }
const fetch = (request: Request) => worker.fetch(request, env)

serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(`http://127.0.0.1:${port}`))
