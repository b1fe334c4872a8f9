import type { Host } from './operation/context.ts'
import type { Pause } from './resources/change-log/follow-changes.ts'

/**
 * The default services of the platform. No other file of this package reads a clock or random numbers. All functions
 * exist in every runtime with Web Crypto.
 */
export const platform: Host = {
  now: () => Date.now(),
  newId: () => crypto.randomUUID(),
  randomHex: (bytes) => toHex(randomBytes.take(bytes)),
  async sha256(text) {
    return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
  },
  nextTurn: () => new Promise((resolve) => void setTimeout(resolve)),
  log: () => {},
}

/**
 * Resolves or rejects as `work` does, or rejects with `timeoutError` after `ms`; a later result of `work` is ignored.
 */
export async function withTimeout<T>(work: Promise<T>, ms: number, timeoutError: Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(timeoutError), ms)
  })
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer))
}

/** Random bytes. Thousands are requested together, because the platform takes as long for them as for a few. */
class RandomBytes {
  readonly #bytes = new Uint8Array(4096)
  /** Number of bytes at the start that no call has returned yet. */
  #unused = 0

  /** Returns bytes that no other call returns. */
  take(count: number): Uint8Array {
    if (count > this.#bytes.length) return crypto.getRandomValues(new Uint8Array(count))
    if (count > this.#unused) {
      crypto.getRandomValues(this.#bytes)
      this.#unused = this.#bytes.length
    }
    const start = this.#unused - count
    const taken = this.#bytes.slice(start, this.#unused)
    // Secrets are made of the bytes, so no copy of them stays in memory.
    this.#bytes.fill(0, start, this.#unused)
    this.#unused = start
    return taken
  }
}

const randomBytes = new RandomBytes()

/** The two hexadecimal digits of each byte: a lookup takes a tenth of the time of a conversion. */
const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function toHex(bytes: Uint8Array): string {
  let hex = ''
  for (const byte of bytes) hex += hexDigits[byte]
  return hex
}

/**
 * Calls `work` after `ms`, unless the returned function is called before. It does not keep the process alive.
 *
 * @param ms time until the call, ms.
 */
export function callLater(ms: number, work: () => void): () => void {
  const timer: unknown = setTimeout(work, ms)
  // Timers of browsers and workers are numbers.
  if (typeof timer === 'object' && timer !== null && 'unref' in timer && typeof timer.unref === 'function')
    timer.unref()
  return () => clearTimeout(timer as ReturnType<typeof setTimeout>)
}

/**
 * Starts a pause.
 *
 * @param ms length of the pause, ms.
 */
export function pause(ms: number): Pause {
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms)
    end = () => {
      clearTimeout(timer)
      resolve()
    }
  })
  return { ended, end: () => end() }
}

/** Maximum time for which long work blocks the event loop, in ms. */
const maxBlockedMs = 5

/**
 * Makes a function that long work calls between its steps. It resolves immediately, unless the work has blocked the
 * event loop for 5 ms: then it lets other work of the process run first.
 */
export function pauses(): () => Promise<void> | undefined {
  let start = Date.now()
  return () => {
    if (Date.now() - start < maxBlockedMs) return undefined
    return new Promise((resolve) => {
      setTimeout(() => {
        start = Date.now()
        resolve()
      })
    })
  }
}
