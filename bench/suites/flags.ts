import { createMemoryStorage } from '@halyard/storage-memory'
import { createChangesFixture, flagKey, projectKey } from '../changes-fixture.ts'
import { type Comparison, compare, type Suite, warmUpCalls } from '../compare.ts'

const suite = 'flags'

/** Calls of each kind before the first measured one. */
const callsBefore = 10_000

/**
 * Measures reading, changing, creating and deleting one flag in process, compared with the serialization of its
 * response.
 */
export const flags: Suite = {
  name: suite,
  about:
    'getFlag, patchFlag, createFlag, and createFlag with deleteFlag in process on memory, with an administrator’s token, without a cache, after 10,000 calls of each. The peer is JSON.stringify of the response that the call returns.',
  async run() {
    const { engine, token, change, read } = await createChangesFixture(createMemoryStorage(), 0)
    const as = { token }
    let n = 0
    const create = async () =>
      engine.api.createFlag({ projectKey, body: { key: `flag-${++n}`, name: 'Checkout', tags: ['shop'] } }, { as })
    const createAndDelete = async () => {
      await create()
      return engine.api.deleteFlag({ projectKey, flagKey: `flag-${n}` }, { as })
    }
    const flag = await engine.api.getFlag({ projectKey, flagKey }, { as })
    const peer = { name: 'JSON.stringify of the flag', run: () => JSON.stringify(flag) }
    const results: Comparison[] = []
    for (const [name, ours] of Object.entries({
      getFlag: read,
      patchFlag: change,
      'createFlag and deleteFlag': createAndDelete,
      createFlag: create,
    })) {
      for (let call = 0; call < warmUpCalls(callsBefore); call++) await ours()
      results.push(await compare({ suite, case: name, ours, peer }))
    }
    return results
  },
}
