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

/** Makes SHA-256 of texts, in hex, at once: thousands of short ones are done before Web Crypto has answered for one. */
export async function textHash(): Promise<(text: string) => string> {
  const { sha256 } = await import('./sha256.ts')
  return (text) => hexOf(sha256(encoder.encode(text)))
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexPairs[byte]
  return hex
}
