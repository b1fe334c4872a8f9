/** True in long test runs, which include tests that are too slow to run after each change. */
export const longTests = process.env.HALYARD_LONG_TESTS === '1'
