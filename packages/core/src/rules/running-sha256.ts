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
  const encoder = new TextEncoder()
  return {
    update: (text) => void hash.update(encoder.encode(text)),
    hex: () => Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  }
}
