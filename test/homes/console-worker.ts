import { createConsole } from '@halyard/console'
import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const engine = createEngine({ storage: createMemoryStorage() })
const identify = () => ({ service: 'ann@example.com', role: 'admin' }) as const
const flags = createConsole(engine, { basePath: '/flags', identify })

let ready: Promise<unknown> | undefined

/** A worker that serves the console as the guide does. A worker may call an engine in requests only, so the first one prepares it. */
export default {
  async fetch(request: Request): Promise<Response> {
    ready ??= engine.bootstrap({ email: 'ada@example.com' })
    await ready
    return flags.fetch(request)
  },
}
