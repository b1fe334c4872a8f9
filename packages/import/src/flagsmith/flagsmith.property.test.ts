import { it } from 'vitest'
import { longTests } from '../../../../test/setup/long-tests.ts'
import { evaluatesAsVendor } from '../test/evaluates-as-vendor.ts'
import { flagsmithContexts, flagsmithDocuments } from '../test/flagsmith-exports.ts'
import { flagsmithFormat } from './flagsmith-format.ts'

const runs = longTests ? 2000 : 25

it(
  `Halyard evaluates the features of ${runs} random documents as the SDK of Flagsmith does`,
  { timeout: 600_000 },
  () =>
    evaluatesAsVendor({
      format: flagsmithFormat,
      exports: flagsmithDocuments.map((document) => [document]),
      contexts: flagsmithContexts,
      runs,
      writtenEvery: 10,
      minLosslessShare: 0.6,
    }),
)
