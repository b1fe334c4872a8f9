/** Whether there is time for everything, and not only for what has to be looked at after each change. */
export const longTests = process.env.HALYARD_LONG_TESTS === '1'
