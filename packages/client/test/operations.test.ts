import { createMemoryStorage } from '@halyard/storage-memory'
import { apiHarness, operationConformance } from '@halyard/testing'
import { createFetchHandler } from '@halyard/transport-fetch'
import { afterAll, describe, it } from 'vitest'
import { createClient } from '../src/index.ts'

const ways = [
  apiHarness('engine.api', (engine) => engine.api),
  apiHarness('the client', (engine) => {
    const fetch = createFetchHandler(engine, { basePath: '/features' })
    // Each refusal is looked at, so none is to be mended by sending the call again.
    return createClient({ baseUrl: 'https://flags.example.test/features/', fetch, retries: 0 }).api
  }),
]

for (const transport of ways) {
  describe(transport.name, () => {
    const { cases, close } = operationConformance({ openStorage: async () => createMemoryStorage(), transport })
    afterAll(close)
    for (const { group, name, run } of cases) it(`${group}: ${name}`, run)
  })
}
