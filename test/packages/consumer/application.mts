import { withConsole } from '@halyard/console'
import { type ApiError, createEngine, createEngineOf, type Engine, getFlag, segmentOperations } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { createTestEngine } from '@halyard/testing'
import { createExpressHandler } from '@halyard/transport-express'
import { createFetchHandler } from '@halyard/transport-fetch'
import { createWebhookSender } from '@halyard/webhook-sender'

const engine: Engine = createEngine({ storage: createMemoryStorage(), webhooks: { send: createWebhookSender() } })
const handler: (request: Request) => Promise<Response> = withConsole(createFetchHandler(engine))
const flag = await engine.api.getFlag({ projectKey: 'web', featureFlagKey: 'checkout' }, { as: 'token' })
const key: string = flag.key
// @ts-expect-error an answer is no `any`
const wrong: number = flag.key
// @ts-expect-error a path parameter is missing
await engine.api.getFlag({ projectKey: 'web' })

const chosen = createEngineOf({ operations: [getFlag, ...segmentOperations] })({ storage: createMemoryStorage() })
const name: string = (await chosen.api.getFlag({ projectKey: 'web', featureFlagKey: 'checkout' })).name
// @ts-expect-error it was not chosen
chosen.api.getTeam
createFetchHandler(chosen)

export type Code = ApiError['code']
export { createExpressHandler, createPgliteStorage, createPostgresStorage, createTestEngine, handler, key, name, wrong }
