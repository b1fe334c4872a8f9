/** Chance that falls the same way each time. */
export interface Chance {
  /** An integer from 0, below `end`. */
  below(end: number): number
  oneOf<T>(choices: readonly T[]): T
}

/** A Lehmer generator, modulus 2^31 - 1. */
export function createChance(seed: number): Chance {
  let state = seed
  const below = (end: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % end
  }
  return { below, oneOf: (choices) => choices[below(choices.length)]! }
}
