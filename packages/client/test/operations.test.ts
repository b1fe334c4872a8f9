import { apiHarness, operationConformance } from '@halyard/conformance'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createFetchHandler } from '@halyard/transport-fetch'
import { afterAll, describe, expect, it } from 'vitest'
import { createClient } from '../src/index.ts'

const client = apiHarness('the client', (engine) => {
  const fetch = createFetchHandler(engine, { basePath: '/features' })
  // Each refusal is looked at, so none is to be mended by sending the call again.
  return createClient({ baseUrl: 'https://flags.example.test/features/', fetch, retries: 0 }).api
})
const engineApi = apiHarness('engine.api', (engine) => engine.api)

/**
 * Of each operation: that it succeeds, and every error that it declares. The rest of the suite is about what an engine
 * does, and takes a minute; `HALYARD_LONG_TESTS=1` has all of it run, and once more by `engine.api` itself.
 */
const aboutCalls =
  /^(succeeds, and answers as declared|answers with the errors that it declares, and with all of them)$/
const long = process.env.HALYARD_LONG_TESTS === '1'

for (const transport of long ? [client, engineApi] : [client]) {
  describe(transport.name, () => {
    const { cases, close } = operationConformance({ openStorage: async () => createMemoryStorage(), transport })
    afterAll(close)
    const chosen = cases.filter(({ name }) => long || aboutCalls.test(name))
    it('is asked for every operation', () => {
      expect(chosen.length).toBeGreaterThanOrEqual(2 * new Set(cases.map(({ group }) => group)).size)
    })
    for (const { group, name, run } of chosen) it(`${group}: ${name}`, run)
  })
}
