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

/** What an edge runtime calls: for each request, and whenever the cron trigger fires. */
export const worker = {
  async fetch(request: Request, _: unknown, invocation: Invocation): Promise<Response> {
    const response = await handler(request)
    // Told at once. Where this is cut off, the cron trigger goes on with it.
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
worker.scheduled({}, {}, { waitUntil: (one) => work.push(one) })
console.log(await Promise.all(work))
