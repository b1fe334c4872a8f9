import { apiHarness, operationConformance } from '@halyard/conformance'
import { resources } from '@halyard/core/operations'
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
 * The cases about calls. The success case runs for every operation. The error case runs for one operation of each group
 * of operations that declare the same errors. The other cases are about the engine and take a minute;
 * `HALYARD_LONG_TESTS=1` runs all of them, and runs them with `engine.api` too.
 */
const successCase = 'succeeds with the declared response'
const errorCase = 'fails with the declared errors only, and with each of them'
const long = process.env.HALYARD_LONG_TESTS === '1'

const all = resources.flatMap(({ operations }) => operations)
const firstWithErrors = new Set(
  new Map(all.toReversed().map(({ id, errors }) => [errors.toSorted().join(), id])).values(),
)

for (const transport of long ? [client, engineApi] : [client]) {
  describe(transport.name, () => {
    const { cases, close } = operationConformance({ openStorage: async () => createMemoryStorage(), transport })
    afterAll(close)
    const isChosen = ({ group, name }: (typeof cases)[number]) =>
      name === successCase || (name === errorCase && firstWithErrors.has(group))
    const chosen = cases.filter((each) => long || isChosen(each))
    it('has a case for every operation, and for every error', () => {
      expect(new Set(chosen.map(({ group }) => group)).size).toBe(all.length)
      const withErrors = chosen.filter(({ name }) => name === errorCase).map(({ group }) => group)
      const errors = all.flatMap(({ id, errors }) => (withErrors.includes(id) ? errors : []))
      expect(new Set(errors)).toEqual(new Set(all.flatMap(({ errors }) => errors)))
    })
    for (const { group, name, run } of chosen) it(`${group}: ${name}`, run)
  })
}
