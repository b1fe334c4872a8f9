import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import '@halyard/cli'
import '@halyard/client'
import '@halyard/conformance'
import '@halyard/console'
import '@halyard/console/svg'
import '@halyard/core/evaluation'
import '@halyard/core/flags'
import '@halyard/core/insights'
import '@halyard/core/json-patch'
import '@halyard/core/operations'
import '@halyard/core/policy'
import '@halyard/core/storage'
import '@halyard/core/webhooks'
import '@halyard/import'
import '@halyard/mcp'
import '@halyard/oidc'
import '@halyard/openapi'
import '@halyard/openfeature'
import '@halyard/openfeature/web'
import '@halyard/opentelemetry'
import '@halyard/pages'
import '@halyard/storage-pglite'
import '@halyard/storage-postgres'
import '@halyard/storage-postgres/sql'
import '@halyard/testing'
import '@halyard/testing/arbitraries'
import '@halyard/transport-express'
import '@halyard/data-export'
import '@halyard/webhook-sender'

const engine = createEngine({ storage: createMemoryStorage() })
const { token } = await engine.bootstrap()
const call = { as: token }
await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, call)
await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'New checkout' } }, call)
const request = new Request('http://localhost/api/v2/flags/web/checkout', { headers: { authorization: token } })
const answer = await createFetchHandler(engine)(request)
console.log(answer.status, (await answer.json()).key)
await engine.close()
