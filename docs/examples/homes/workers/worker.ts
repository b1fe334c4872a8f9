import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

interface Env {
  readonly HALYARD_TOKEN: string
}

let handlerPromise: ReturnType<typeof openHandler> | undefined

// Workers cannot generate random numbers before their first request, and a token needs some.
async function openHandler({ HALYARD_TOKEN: token }: Env) {
  const engine = createEngine({ storage: createMemoryStorage() })
  await engine.migrate()
  await engine.bootstrap({ token })
  return createFetchHandler(engine)
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    handlerPromise ??= openHandler(env)
    const handler = await handlerPromise
    return handler(request)
  },
}
