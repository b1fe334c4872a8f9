import { createHash } from 'node:crypto'

/** Chance that is the same each time it is begun with the same seed. */
export interface Chance {
  /** From 0 to below 1. */
  number(): number
  /** Undefined where there is nothing to choose from. */
  oneOf<T>(list: readonly T[]): T | undefined
  /** True in so many of 100 cases. */
  percent(share: number): boolean
}

/** Begins to draw by chance. */
export function createChance(seed: string): Chance {
  let block = Buffer.alloc(0)
  let drawn = 0
  function number(): number {
    if (block.length === 0) block = createHash('sha256').update(`${seed}.${drawn++}`).digest()
    const value = block.readUInt32BE(0) / 2 ** 32
    block = block.subarray(4)
    return value
  }
  return {
    number,
    oneOf: (list) => list[Math.floor(number() * list.length)],
    percent: (share) => number() * 100 < share,
  }
}
