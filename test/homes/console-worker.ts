import { createConsole } from '@halyard/console'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const flags = createConsole(engine, { basePath: '/flags' })

let ready: Promise<unknown> | undefined

/**
 * A worker that serves the console as the guide does, and a link that signs an administrator in. A worker may call an
 * engine only during a request, so the first request prepares the account.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    ready ??= engine.bootstrap({ email: 'ada@example.com' })
    await ready
    return new URL(request.url).pathname === '/link'
      ? new Response(flags.createSignInPath({ service: 'ann@example.com', role: 'admin' }))
      : flags.fetch(request)
  },
}
