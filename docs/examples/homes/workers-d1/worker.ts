import { createConsole } from '@halyard/console'
import { createEngine } from '@halyard/core'
import { fetchSender } from '@halyard/core/webhooks'
import { createSqliteStorage, type D1Database } from '@halyard/storage-sqlite'
import { withSdk } from '@halyard/transport-fetch'

interface Env {
  readonly DATABASE: D1Database
  readonly HALYARD_TOKEN: string
}

interface Context {
  waitUntil(promise: Promise<unknown>): void
}

let applicationPromise: ReturnType<typeof openApplication> | undefined

async function openApplication({ DATABASE: database, HALYARD_TOKEN: token }: Env) {
  const engine = createEngine({ storage: createSqliteStorage({ database }), webhooks: { send: fetchSender() } })
  await engine.migrate()
  await engine.bootstrap({ token })
  return { engine, handler: withSdk(createConsole(engine).fetch, engine) }
}

/** Opens the application at the first event of the isolate, and again after a failure. */
function application(env: Env): ReturnType<typeof openApplication> {
  applicationPromise ??= openApplication(env).catch((error: unknown) => {
    applicationPromise = undefined
    throw error
  })
  return applicationPromise
}

export default {
  fetch(request: Request, env: Env, context: Context): Promise<Response> {
    const response = application(env).then(({ handler }) => handler(request))
    // Other requests may wait for work of this request, so it must not end when its client disconnects.
    context.waitUntil(response)
    return response
  },

  /** Called at the times of `triggers.crons`: sends webhooks and applies scheduled changes. */
  async scheduled(_event: unknown, env: Env): Promise<void> {
    const { engine } = await application(env)
    await engine.runDueTasks({ deadline: Date.now() + 20_000 })
  },
}
