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

/** The SHA-256 of a text in hex, at once: thousands of short texts are done before Web Crypto has answered for one. */
export function sha256Hex(text: string): string {
  return hexOf(sha256(encoder.encode(text)))
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexPairs[byte]
  return hex
}
