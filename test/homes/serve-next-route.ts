import { serve } from '@hono/node-server'
import * as route from '../../docs/examples/homes/next/app/api/v2/[...path]/route.ts'

/** The handlers as Next calls them: a function for each method; that of GET also handles HEAD. */
const methods: Readonly<Record<string, unknown>> = { ...route, HEAD: route.GET }

async function fetch(request: Request): Promise<Response> {
  const method = methods[request.method] as typeof route.GET | undefined
  return method ? method(request) : new Response(null, { status: 405 })
}

serve({ fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(`http://127.0.0.1:${port}`))
