import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressSdk } from '@halyard/transport-express'
import { expect, it } from 'vitest'
import { createSdkFixture, environmentKeys, listen, nextUpdate, readyClient } from './setup/sdk-fixture.ts'

const contextCount = 100_000
const hour = 3_600_000

/**
 * Returns the tolerated difference of a share of all contexts from its expected value, in percentage points. For 10 %
 * it is the stated 0.3, which one salt in 600 exceeds, so the salts of the tests are fixed. For other percentages it is
 * five standard deviations.
 */
const tolerance = (percent: number) =>
  percent === 10 ? 0.3 : 5 * Math.sqrt((percent * (100 - percent)) / contextCount)

const keyOf = (index: number) => ({ kind: 'user', key: `user-${index}` })

/** Makes a flag that a policy releases in stages of these percentages, with a clock that the test moves. */
async function releasedFlag(releaseMethod: 'progressive-release' | 'guarded-release', percentages: readonly number[]) {
  let now = Date.now()
  const fixture = await createSdkFixture(createMemoryStorage(), { clock: () => now })
  const { api, as, engine } = fixture
  const stages = percentages.map((percent) => ({ allocation: percent * 1_000, durationMillis: hour }))
  const config = releaseMethod === 'guarded-release' ? 'guardedReleaseConfig' : 'progressiveReleaseConfig'
  const body = { key: 'usual', name: 'Usual', releaseMethod, [config]: { stages } }
  await api.createReleasePolicy({ projectKey: 'web', body }, { as })
  await engine.evaluator(environmentKeys).ready()
  return {
    ...fixture,
    async step() {
      now += hour
      await engine.runDueTasks()
    },
    /** Returns the values that the first contexts are served. */
    served: (count = contextCount) => {
      const evaluator = engine.evaluator(environmentKeys)
      return Array.from({ length: count }, (_, i) => evaluator.evaluate('checkout', keyOf(i), false).value)
    },
  }
}

it.each(['progressive-release', 'guarded-release'] as const)(
  'stages of a %s serve their share of 100,000 contexts, which keep the variation as the stages grow',
  async (method) => {
    const { turn, step, served } = await releasedFlag(method, [10, 50, 90])
    await turn('checkout', true)
    let earlier: readonly boolean[] = []
    for (const percent of [10, 50, 90, 100]) {
      const values = served()
      const share = (values.filter(Boolean).length / contextCount) * 100
      expect(Math.abs(share - percent)).toBeLessThanOrEqual(tolerance(percent))
      expect(earlier.filter((value, index) => value && !values[index])).toEqual([])
      earlier = values
      await step()
    }
  },
)

it.each(['progressive-release', 'guarded-release'] as const)(
  'the unmodified SDK for Node serves each stage of a %s as the engine does',
  async (method) => {
    const { engine, keys, turn, step, served } = await releasedFlag(method, [10, 50])
    const client = await readyClient(await listen(createExpressSdk(engine)), keys.server)
    for (const advance of [() => turn('checkout', true), step, step]) {
      const update = nextUpdate(client)
      await advance()
      await update
      const checked = served(5_000)
      const fromSdk = await Promise.all(checked.map((_, index) => client.variation('checkout', keyOf(index), 'none')))
      expect(fromSdk).toEqual(checked)
    }
  },
)
