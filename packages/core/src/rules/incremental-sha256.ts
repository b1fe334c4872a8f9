/** SHA-256 of a text that arrives in pieces, which Web Crypto does not support. */
export interface IncrementalSha256 {
  /** Adds the next piece of text, as UTF-8. */
  update(text: string): void
  /** Returns the hash in hex. No text can be added afterwards. */
  hex(): string
}

/** Starts the hash of a text. The implementation is imported only now, because most engines never need it. */
export async function incrementalSha256(): Promise<IncrementalSha256> {
  const { sha256 } = await import('./sha256.ts')
  const hash = sha256.create()
  return {
    update: (text) => void hash.update(encoder.encode(text)),
    hex: () => hexOf(hash.digest()),
  }
}

const encoder = new TextEncoder()

/**
 * Returns the SHA-256 of a text, in hex.
 *
 * @param bytes number of the 32 bytes to return. Default: all.
 */
export type TextHash = (text: string, bytes?: number) => string

/**
 * Creates a synchronous hash function, which hashes thousands of short texts in the time that Web Crypto needs for one.
 */
export async function textHash(): Promise<TextHash> {
  const { sha256 } = await import('./sha256.ts')
  const initialState = sha256.create()
  let hash = sha256.create()
  const digest = new Uint8Array(initialState.outputLen)
  return (text, bytes = 32) => {
    // The initial state is copied for each text: creating a new hash would take longer than computing it.
    hash = initialState._cloneInto(hash)
    hash.update(encoder.encode(text)).digestInto(digest)
    return hexOf(digest, bytes)
  }
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf(bytes: Uint8Array, length = bytes.length): string {
  let hex = ''
  for (let i = 0; i < length; i++) hex += hexPairs[bytes[i] as number]
  return hex
}
