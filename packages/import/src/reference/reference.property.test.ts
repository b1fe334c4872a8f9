import { it } from 'vitest'
import { longTests } from '../../../../test/setup/long-tests.ts'
import { evaluatesAsVendor } from '../test/evaluates-as-vendor.ts'
import { referenceContexts, referencePages } from '../test/reference-exports.ts'
import { referenceFormat } from './reference-format.ts'

const runs = longTests ? 2000 : 75

it(
  `Halyard evaluates the flags of ${runs} random responses as the SDK of the reference API does`,
  { timeout: 600_000 },
  () =>
    evaluatesAsVendor({
      format: referenceFormat,
      exports: referencePages,
      contexts: referenceContexts,
      runs,
      writtenEvery: 10,
      minLosslessShare: 1,
    }),
)
