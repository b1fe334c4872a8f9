import fc from 'fast-check'

/**
 * Property tests use the same random cases in every run, so that a failure can be repeated. `HALYARD_TEST_SEED` selects
 * other cases.
 */
fc.configureGlobal({ seed: Number(process.env.HALYARD_TEST_SEED ?? 20_240_229) })
