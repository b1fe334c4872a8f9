import { withConsole } from '@halyard/console'
import { type ApiError, createEngine, type Engine } from '@halyard/core'
import { createEngineOf, getFlag, segments } from '@halyard/core/operations'
import { createHalyardProvider } from '@halyard/openfeature'
import { createHalyardWebProvider } from '@halyard/openfeature/web'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createPgliteStorage } from '@halyard/storage-pglite'
import { createPostgresStorage } from '@halyard/storage-postgres'
import { createTestEngine } from '@halyard/testing'
import { createExpressHandler } from '@halyard/transport-express'
import { createFetchHandler } from '@halyard/transport-fetch'
import { createWebhookSender } from '@halyard/webhook-sender'

const engine: Engine = createEngine({ storage: createMemoryStorage(), webhooks: { send: createWebhookSender() } })
const handler: (request: Request) => Promise<Response> = withConsole(createFetchHandler(engine))
const flag = await engine.api.getFlag({ projectKey: 'web', flagKey: 'checkout' }, { as: 'token' })
const key: string = flag.key
// @ts-expect-error responses are typed, not `any`
const wrong: number = flag.key
// @ts-expect-error a path parameter is missing
await engine.api.getFlag({ projectKey: 'web' }, { as: 'token' })

const chosen = createEngineOf({ operations: [getFlag, ...segments.operations] })({ storage: createMemoryStorage() })
const name: string = (await chosen.api.getFlag({ projectKey: 'web', flagKey: 'checkout' }, { as: 'token' })).name
// @ts-expect-error every call names its caller
await engine.api.getFlag({ projectKey: 'web', flagKey: 'checkout' })
// @ts-expect-error the engine does not include this operation
chosen.api.getTeam
createFetchHandler(chosen)

declare module '@halyard/core' {
  interface FlagTypes {
    checkout: boolean
    theme: 'dark' | 'light'
  }
}
const place = { projectKey: 'web', environmentKey: 'production' }
const ann = { kind: 'user', key: 'ann' }
const flags = engine.evaluator(place)
const theme: 'dark' | 'light' = flags.evaluate('theme', ann, 'dark').value
// @ts-expect-error no flag has this key
engine.evaluate('chekout', ann, false, place)
// @ts-expect-error the flag has no such value
flags.evaluate('theme', ann, 'blue')
const other = engine.evaluator<{ beta: number }>(place).evaluate('beta', ann, 1).value.toFixed()
createHalyardProvider(engine, place)
createHalyardProvider(flags, { checkMs: 0 })
createHalyardWebProvider({ baseUrl: '', environmentId: 'e' })

export type Code = ApiError['code']
export {
  createExpressHandler,
  createPgliteStorage,
  createPostgresStorage,
  createTestEngine,
  handler,
  key,
  name,
  other,
  theme,
  wrong,
}
