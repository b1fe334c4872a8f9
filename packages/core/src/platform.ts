import type { Host } from './operation/context.ts'

/**
 * What the engine takes from the platform when a host brings nothing of its own. The one place in this package that
 * touches a clock or chance; all of it exists in every runtime with Web Crypto.
 */
export const platform: Host = {
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
  randomHex: (bytes) => toHex(crypto.getRandomValues(new Uint8Array(bytes))),
  async sha256(text) {
    return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
  },
  log: () => {},
}

/** Resolves as `work` does, or rejects with `late` after so many ms; what `work` comes to then is nobody's. */
export async function withinTime<T>(work: Promise<T>, ms: number, late: Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late), ms)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}

function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += byte.toString(16).padStart(2, '0')
  return hex
}
