import { hashBlock } from './sha1-block.ts'

/** The words of one block. Shared between calls, because hashing is synchronous. */
const words = new Int32Array(16)
const state = new Int32Array(5)
const encoder = new TextEncoder()

/** Length of the longest text that fits into one block together with its padding, in bytes. */
const maxBytesInOneBlock = 55

/**
 * Creates a function that maps texts with a common prefix to a number from 0 to 1: the first 15 hex digits of their
 * SHA-1 divided by the largest number of 15 hex digits. The percentage rollouts of all SDKs use this mapping.
 *
 * SHA-1 is implemented here because a text is nearly always one block of ASCII: then nothing is allocated, copied or
 * formatted as hex, and it takes about a sixth of the time of a general hash function (bench/suites/evaluation.ts).
 *
 * @param prefix beginning of all texts; it is prepared once.
 * @returns a function that takes the rest of a text and returns 0 to 1; rounding can return 1 itself.
 */
export function bucketHasher(prefix: string): (rest: string) => number {
  const head = new Int32Array(16)
  const isShort = writeAscii(prefix, head, 0)
  return (rest) => {
    reset()
    if (!isShort || !hashShort(head, prefix.length, rest)) hashLong(encoder.encode(prefix + rest))
    // 60 bits: 32 of the first word and 28 of the second. As a double, the sum is rounded exactly as the hex digits are
    // when they are parsed as a number.
    const high = (state[0] as number) >>> 0
    const low = (state[1] as number) >>> 4
    return (high * 0x10000000 + low) / 0x1000000000000000
  }
}

function reset(): void {
  state[0] = 0x67452301
  state[1] = 0xefcdab89 | 0
  state[2] = 0x98badcfe | 0
  state[3] = 0x10325476
  state[4] = 0xc3d2e1f0 | 0
}

/**
 * Hashes a short ASCII text whose first `from` bytes are already in `head`; returns false if the text is not ASCII or
 * does not fit.
 */
function hashShort(head: Int32Array, from: number, rest: string): boolean {
  for (let index = 0; index < 16; index++) words[index] = head[index] as number
  if (!writeAscii(rest, words, from)) return false
  const length = from + rest.length
  words[length >> 2] = (words[length >> 2] as number) | (0x80 << (24 - ((length & 3) << 3)))
  words[15] = length << 3
  hashBlock(words, state)
  return true
}

/**
 * Writes ASCII text into the words of one block, starting at a byte; returns false if the text is not ASCII or does not
 * fit.
 */
function writeAscii(text: string, target: Int32Array, from: number): boolean {
  const { length } = text
  if (from + length > maxBytesInOneBlock) return false
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code > 127) return false
    const byte = from + index
    target[byte >> 2] = (target[byte >> 2] as number) | (code << (24 - ((byte & 3) << 3)))
  }
  return true
}

function hashLong(bytes: Uint8Array): void {
  const { length } = bytes
  const blocks = ((length + 8) >> 6) + 1
  for (let block = 0; block < blocks; block++) {
    for (let word = 0; word < 16; word++) {
      const from = block * 64 + word * 4
      let value = 0
      for (let index = from; index < from + 4; index++) {
        value = (value << 8) | (index < length ? (bytes[index] as number) : index === length ? 0x80 : 0)
      }
      words[word] = value
    }
    if (block === blocks - 1) {
      words[14] = Math.floor(length / 0x20000000)
      words[15] = length << 3
    }
    hashBlock(words, state)
  }
}
