/** The SHA-256 of a text that comes bit by bit, which Web Crypto cannot make. */
export interface RunningSha256 {
  /** Takes the next bit of text, as UTF-8. */
  update(text: string): void
  /** The hash in hex. Nothing can be taken afterwards. */
  hex(): string
}

/** Begins the hash of a text. What makes it is loaded only now: most engines never hash anything bit by bit. */
export async function runningSha256(): Promise<RunningSha256> {
  const { sha256 } = await import('./sha256.ts')
  const hash = sha256.create()
  return {
    update: (text) => void hash.update(encoder.encode(text)),
    hex: () => hexOf(hash.digest()),
  }
}

const encoder = new TextEncoder()

/** The SHA-256 of a text, in hex. @param bytes how many of its 32 bytes are wanted; default all. */
export type TextHash = (text: string, bytes?: number) => string

/** Makes hashes at once: thousands of short texts are done before Web Crypto has answered for one. */
export async function textHash(): Promise<TextHash> {
  const { sha256 } = await import('./sha256.ts')
  const start = sha256.create()
  let hash = sha256.create()
  const digest = new Uint8Array(start.outputLen)
  return (text, bytes = 32) => {
    // One hash is begun for all: to make each anew would take longer than to run it.
    hash = start._cloneInto(hash)
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
