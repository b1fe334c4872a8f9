import { createEngine } from '@halyard/core'
import { fetchSender } from '@halyard/core/webhooks'
import { createSqliteStorage, type D1Database } from '@halyard/storage-sqlite'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'

interface Env {
  readonly DATABASE: D1Database
  readonly HALYARD_TOKEN: string
}

let applicationPromise: ReturnType<typeof openApplication> | undefined

async function openApplication({ DATABASE: database, HALYARD_TOKEN: token }: Env) {
  const engine = createEngine({ storage: createSqliteStorage({ database }), webhooks: { send: fetchSender() } })
  // In production, migrate once, before you deploy.
  await engine.migrate()
  await engine.bootstrap({ token })
  return { engine, handler: withSdk(createFetchHandler(engine), engine) }
}

/** Opens the application at the first request of an isolate; a failure is not kept. */
function application(env: Env): ReturnType<typeof openApplication> {
  applicationPromise ??= openApplication(env).catch((error: unknown) => {
    applicationPromise = undefined
    throw error
  })
  return applicationPromise
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { handler } = await application(env)
    return handler(request)
  },
  /** Called by the cron trigger: sends webhooks and applies scheduled changes. */
  async scheduled(_event: unknown, env: Env): Promise<void> {
    const { engine } = await application(env)
    await engine.runDueTasks({ deadline: Date.now() + 20_000 })
  },
}
