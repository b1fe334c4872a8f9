import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'

const engine = createEngine({ storage: createMemoryStorage() })
await engine.migrate()
const as = await engine.bootstrap().then((result) => result?.token ?? '')

await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, { as })
await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'New checkout' } }, { as })

const handler = createFetchHandler(engine)
const url = 'http://localhost/api/v2/flags/web/checkout'
const response = await handler(new Request(url, { headers: { authorization: as } }))
console.log(response.status, await response.json())
await engine.close()
