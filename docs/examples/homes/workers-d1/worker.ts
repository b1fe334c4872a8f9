import { createEngine } from '@halyard/core'
import { fetchSender } from '@halyard/core/webhooks'
import { createSqliteStorage, type D1Database } from '@halyard/storage-sqlite'
import { createFetchHandler, withSdk } from '@halyard/transport-fetch'

interface Env {
  readonly DATABASE: D1Database
  readonly HALYARD_TOKEN: string
}

let isPrepared = false

// One engine for each request: a Worker ends a request that waits for the work of another one.
async function openEngine({ DATABASE: database, HALYARD_TOKEN: token }: Env) {
  const engine = createEngine({ storage: createSqliteStorage({ database }), webhooks: { send: fetchSender() } })
  if (!isPrepared) {
    // In production, migrate once, before you deploy.
    await engine.migrate()
    await engine.bootstrap({ token })
    isPrepared = true
  }
  return engine
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const engine = await openEngine(env)
    return withSdk(createFetchHandler(engine), engine)(request)
  },
  /** Called by the cron trigger: sends webhooks and applies scheduled changes. */
  async scheduled(_event: unknown, env: Env): Promise<void> {
    const engine = await openEngine(env)
    await engine.runDueTasks({ deadline: Date.now() + 20_000 })
  },
}
