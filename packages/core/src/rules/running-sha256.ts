import { sha256 } from '@noble/hashes/sha2.js'

/** The SHA-256 of a text that comes bit by bit, which Web Crypto cannot make. */
export interface RunningSha256 {
  /** Takes the next bit of text, as UTF-8. */
  update(text: string): void
  /** The hash in hex. Nothing can be taken afterwards. */
  hex(): string
}

/** Begins the hash of a text. */
export function runningSha256(): RunningSha256 {
  const hash = sha256.create()
  return {
    update: (text) => void hash.update(encoder.encode(text)),
    hex: () => hexOf(hash.digest()),
  }
}

const encoder = new TextEncoder()

/**
 * The SHA-256 of a text in hex, at once: thousands of short texts are done before Web Crypto has answered for one.
 *
 * @param bytes how many of its 32 bytes are wanted.
 */
export function sha256Hex(text: string, bytes = 32): string {
  // One hash is begun for all: to make each anew would take longer than to run it.
  hash = start._cloneInto(hash)
  hash.update(encoder.encode(text)).digestInto(digest)
  return hexOf(digest, bytes)
}

const start = sha256.create()
let hash = sha256.create()
const digest = new Uint8Array(start.outputLen)

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf(bytes: Uint8Array, length = bytes.length): string {
  let hex = ''
  for (let i = 0; i < length; i++) hex += hexPairs[bytes[i] as number]
  return hex
}
