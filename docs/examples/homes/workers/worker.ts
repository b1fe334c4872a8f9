import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

interface Env {
  readonly HALYARD_TOKEN: string
}

let opened: ReturnType<typeof open> | undefined

// Workers cannot generate random numbers before their first request, and a token needs some.
async function open({ HALYARD_TOKEN: token }: Env) {
  const engine = createEngine({ storage: createMemoryStorage() })
  await engine.migrate()
  await engine.bootstrap({ token })
  return createFetchHandler(engine)
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    opened ??= open(env)
    const handler = await opened
    return handler(request)
  },
}
