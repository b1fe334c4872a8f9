import { it } from 'vitest'
import { longTests } from '../../../../test/setup/long-tests.ts'
import { evaluatesAsVendor } from '../test/evaluates-as-vendor.ts'
import { flagdContexts, flagdSets } from '../test/flagd-exports.ts'
import { flagdFormat } from './flagd-format.ts'

const runs = longTests ? 5000 : 25

it(`Halyard evaluates the flags of ${runs} random flag sets as flagd does`, { timeout: 600_000 }, () =>
  evaluatesAsVendor({
    format: flagdFormat,
    exports: flagdSets.map((flagSet) => [flagSet]),
    contexts: flagdContexts,
    runs,
    writtenEvery: 20,
    minLosslessShare: 0.6,
  }),
)
