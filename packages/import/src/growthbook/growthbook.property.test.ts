import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longTests } from '../../../../test/setup/long-tests.ts'
import { compareExport } from '../test/compare-export.ts'
import { evaluatesAsVendor } from '../test/evaluates-as-vendor.ts'
import { growthbookContexts, growthbookPayloads, growthbookPayloadsOfForms } from '../test/growthbook-exports.ts'
import { growthbookFormat } from './growthbook-format.ts'

const runs = longTests ? 2000 : 50

it(
  `Halyard evaluates the features of ${runs} random payloads as the SDK of GrowthBook does`,
  { timeout: 600_000 },
  () =>
    evaluatesAsVendor({
      format: growthbookFormat,
      exports: growthbookPayloads.map((payload) => [payload]),
      contexts: growthbookContexts,
      runs,
      writtenEvery: 10,
      minLosslessShare: 0.6,
    }),
)

const formatLosses = ['a comparison of versions', '$all', '$elemMatch']

it(`Halyard compares versions and lists of ${runs} random payloads as the SDK does, when the attributes are versions and lists`, {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(growthbookPayloadsOfForms, growthbookContexts, async (exported, contexts) => {
      const result = await compareExport(growthbookFormat, [exported], { contexts, sampled: 0, written: false })
      for (const comparison of result.comparisons) {
        const losses = result.lossesOf(comparison.flag, ['values', 'shares'])
        if (losses.every(({ what }) => formatLosses.includes(what))) expect(comparison.example).toBeUndefined()
      }
    }),
    { numRuns: runs },
  )
})
