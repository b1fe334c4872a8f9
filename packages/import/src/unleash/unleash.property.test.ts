import { it } from 'vitest'
import { longTests } from '../../../../test/setup/long-tests.ts'
import { evaluatesAsVendor } from '../test/evaluates-as-vendor.ts'
import { unleashClientFeatures, unleashContexts } from '../test/unleash-exports.ts'
import { unleashFormat } from './unleash-format.ts'

const runs = longTests ? 5000 : 100

it(`Halyard evaluates the features of ${runs} random exports as the SDK of Unleash does`, { timeout: 600_000 }, () =>
  evaluatesAsVendor({
    format: unleashFormat,
    exports: unleashClientFeatures.map((response) => [response]),
    contexts: unleashContexts,
    runs,
    writtenEvery: 20,
    minLosslessShare: 0.6,
  }),
)
