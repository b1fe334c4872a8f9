import { takeBlock } from './sha1-block.ts'

/** One block. Shared, as nothing here waits. */
const words = new Int32Array(16)
const state = new Int32Array(5)
const encoder = new TextEncoder()

/** The longest text that fits into one block with its padding, bytes. */
const mostInOneBlock = 55

/**
 * Where texts that begin alike fall between 0 and 1: the first 15 hex digits of their SHA-1, as a part of the largest such
 * number. That is how percentage rollouts of all SDKs place contexts.
 *
 * Of our own because a text is nearly always one block of ASCII: then nothing is allocated, copied or written as hex, and
 * it takes about a sixth of what a hash in general does (bench/suites/evaluation.ts).
 *
 * @param prefix what they begin with; it is made ready once.
 * @returns what takes the rest of a text and gives 0 to 1; rounding can give 1 itself.
 */
export function bucketAfter(prefix: string): (rest: string) => number {
  const head = new Int32Array(16)
  const isShort = putShort(prefix, head, 0)
  return (rest) => {
    reset()
    if (!isShort || !takeShort(head, prefix.length, rest)) takeLong(encoder.encode(prefix + rest))
    // 60 bits: 32 of the first word, 28 of the second. Doubles round the sum just as they round the digits when parsed.
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

/** Hashes a short text of ASCII whose first `from` bytes are in words already; false where it is none. */
function takeShort(head: Int32Array, from: number, rest: string): boolean {
  for (let at = 0; at < 16; at++) words[at] = head[at] as number
  if (!putShort(rest, words, from)) return false
  const length = from + rest.length
  words[length >> 2] = (words[length >> 2] as number) | (0x80 << (24 - ((length & 3) << 3)))
  words[15] = length << 3
  takeBlock(words, state)
  return true
}

/** Puts ASCII into the words of one block, from a byte on; false where it is none or does not fit. */
function putShort(text: string, into: Int32Array, from: number): boolean {
  const { length } = text
  if (from + length > mostInOneBlock) return false
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code > 127) return false
    const byte = from + at
    into[byte >> 2] = (into[byte >> 2] as number) | (code << (24 - ((byte & 3) << 3)))
  }
  return true
}

function takeLong(bytes: Uint8Array): void {
  const { length } = bytes
  const blocks = ((length + 8) >> 6) + 1
  for (let block = 0; block < blocks; block++) {
    for (let word = 0; word < 16; word++) {
      const from = block * 64 + word * 4
      let value = 0
      for (let at = from; at < from + 4; at++) {
        value = (value << 8) | (at < length ? (bytes[at] as number) : at === length ? 0x80 : 0)
      }
      words[word] = value
    }
    if (block === blocks - 1) {
      words[14] = Math.floor(length / 0x20000000)
      words[15] = length << 3
    }
    takeBlock(words, state)
  }
}
