import { createEngine, type EngineInput } from '@halyard/core'
import { fetchSender } from '@halyard/core/webhooks'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

const storage: EngineInput['storage'] = createMemoryStorage()

// #region cron-trigger
const engine = createEngine({ storage, webhooks: { send: fetchSender() } })
const handler = createFetchHandler(engine)

interface Invocation {
  waitUntil(work: Promise<unknown>): void
}

/** Entry points for an edge runtime: called for each request, and when the cron trigger fires. */
export const worker = {
  async fetch(request: Request, _: unknown, invocation: Invocation): Promise<Response> {
    const response = await handler(request)
    // Delivers immediately. If the runtime stops this work, the cron trigger continues it.
    if (request.method !== 'GET') invocation.waitUntil(engine.runDueTasks({ deadline: Date.now() + 10_000 }))
    return response
  },
  scheduled(_event: unknown, _: unknown, invocation: Invocation): void {
    invocation.waitUntil(engine.runDueTasks({ limit: 1_000, deadline: Date.now() + 20_000 }))
  },
}
// #endregion

await engine.migrate()
const work: Promise<unknown>[] = []
worker.scheduled({}, {}, { waitUntil: (promise) => work.push(promise) })
console.log(await Promise.all(work))
