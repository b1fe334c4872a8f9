import fc from 'fast-check'

/**
 * Property tests draw the same cases in every run, so that a red run can be repeated and a green one is no luck.
 * `HALYARD_TEST_SEED` draws others.
 */
fc.configureGlobal({ seed: Number(process.env.HALYARD_TEST_SEED ?? 20_240_229) })
