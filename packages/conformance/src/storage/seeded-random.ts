/** A pseudo-random generator that returns the same numbers in each run. */
export interface SeededRandom {
  /** Returns an integer from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number
  oneOf<T>(choices: readonly T[]): T
}

/** Makes a Lehmer generator with modulus 2^31 - 1. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed
  const below = (end: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % end
  }
  return { below, oneOf: (choices) => choices[below(choices.length)]! }
}
