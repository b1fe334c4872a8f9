import { apiHarness, operationConformance } from '@halyard/conformance'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import { afterAll, describe, expect, it } from 'vitest'
import { createClient } from '../src/index.ts'

const client = apiHarness('the client', (engine) => {
  const fetch = createFetchHandler(engine, { basePath: '/features' })
  // The suite examines each error response, so the client must not retry.
  return createClient({ baseUrl: 'https://flags.example.test/features/', fetch, retries: 0 }).api
})
const engineApi = apiHarness('engine.api', (engine) => engine.api)

/**
 * The cases about calls: each operation succeeds, and returns every error that it declares. The other cases are about the
 * engine and take a minute; `HALYARD_LONG_TESTS=1` runs all of them, and runs them with `engine.api` too.
 */
const callCases = /^(succeeds with the declared response|fails with the declared errors only, and with each of them)$/
const long = process.env.HALYARD_LONG_TESTS === '1'

for (const transport of long ? [client, engineApi] : [client]) {
  describe(transport.name, () => {
    const { cases, close } = operationConformance({ openStorage: async () => createMemoryStorage(), transport })
    afterAll(close)
    const chosen = cases.filter(({ name }) => long || callCases.test(name))
    it('has at least 2 cases for every operation', () => {
      expect(chosen.length).toBeGreaterThanOrEqual(2 * new Set(cases.map(({ group }) => group)).size)
    })
    for (const { group, name, run } of chosen) it(`${group}: ${name}`, run)
  })
}
