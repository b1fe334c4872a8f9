const defaultSeed = 20_240_229

/**
 * Returns random values for an engine that are the same in every run. Salts and seeds of rollouts are random values, so
 * each context gets the same variation in every run. `HALYARD_TEST_SEED` selects other values, as for property tests.
 */
export function fixedRandomHex(): (bytes: number) => string {
  let state = Number(process.env.HALYARD_TEST_SEED ?? defaultSeed)
  // The generator splitmix32 has a period of 2^32, so that values of several bytes do not repeat in a test.
  const nextByte = () => {
    state = (state + 0x9e37_79b9) | 0
    const mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad)
    const value = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97)
    return ((value ^ (value >>> 15)) >>> 24).toString(16).padStart(2, '0')
  }
  return (bytes) => Array.from({ length: bytes }, nextByte).join('')
}
