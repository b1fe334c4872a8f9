import fc from 'fast-check'
import { longTests } from './long-tests.ts'

/**
 * Property tests use the same random cases in every run, so that a failure can be repeated. `HALYARD_TEST_SEED` selects
 * other cases. A property that does not state a number of cases has 40, and 100 in long test runs.
 */
fc.configureGlobal({
  seed: Number(process.env.HALYARD_TEST_SEED ?? 20_240_229),
  numRuns: longTests ? 100 : 40,
})
