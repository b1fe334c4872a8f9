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
  const encoder = new TextEncoder()
  return {
    update: (text) => void hash.update(encoder.encode(text)),
    hex: () => Array.from(hash.digest(), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  }
}
