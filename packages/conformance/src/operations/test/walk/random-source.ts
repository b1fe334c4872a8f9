/** Pseudo-random choices, the same in every run with one seed. */
export interface RandomSource {
  /** Returns an integer from 0 to `limit - 1`. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
}

/** Makes a source of pseudo-random choices (mulberry32). */
export function randomSource(seed: number): RandomSource {
  let state = seed >>> 0
  const below = (limit: number) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return { below, pick: (list) => list[below(list.length)] as (typeof list)[number] }
}
