import { createHash } from 'node:crypto'

/** A pseudorandom generator that returns the same sequence for the same seed. */
export interface Random {
  /** Returns a number from 0 to below 1. */
  number(): number
  /** Returns an element of a list; undefined when the list is empty. */
  pick<T>(list: readonly T[]): T | undefined
  /** Returns true with a probability in percent. */
  percent(percentage: number): boolean
}

/** Makes a generator from a seed. */
export function createRandom(seed: string): Random {
  let block = Buffer.alloc(0)
  let blockCount = 0
  function number(): number {
    if (block.length === 0) block = createHash('sha256').update(`${seed}.${blockCount++}`).digest()
    const value = block.readUInt32BE(0) / 2 ** 32
    block = block.subarray(4)
    return value
  }
  return {
    number,
    pick: (list) => list[Math.floor(number() * list.length)],
    percent: (percentage) => number() * 100 < percentage,
  }
}
