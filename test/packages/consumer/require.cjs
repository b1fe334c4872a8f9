const { createEngine } = require('@halyard/core')
const { createMemoryStorage } = require('@halyard/storage-memory')
const { createFetchHandler } = require('@halyard/transport-fetch')
for (const entry of ['evaluation', 'flags', 'insights', 'json-patch', 'operations', 'policy', 'storage', 'webhooks']) {
  require(`@halyard/core/${entry}`)
}
require('@halyard/openfeature')
require('@halyard/openfeature/web')
require('@halyard/opentelemetry')
require('@halyard/storage-pglite')
require('@halyard/storage-postgres')
require('@halyard/storage-postgres/sql')
require('@halyard/transport-express')
require('@halyard/data-export')
require('@halyard/webhook-sender')

async function main() {
  const engine = createEngine({ storage: createMemoryStorage() })
  const { token } = await engine.bootstrap()
  const call = { as: token }
  await engine.api.createProject({ body: { key: 'web', name: 'Web shop' } }, call)
  await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'New checkout' } }, call)
  const request = new Request('http://localhost/api/v2/flags/web/checkout', { headers: { authorization: token } })
  const answer = await createFetchHandler(engine)(request)
  console.log(answer.status, (await answer.json()).key)
  await engine.close()
}

main()
