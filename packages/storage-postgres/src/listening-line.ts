import type { Ear, Listening } from './sql-driver.ts'

/** A connection that listens for as long as it is wanted, whatever becomes of it meanwhile. */
export interface ListeningLine {
  /** Connects, if that is not under way. */
  open(): void
  /** Whether everything that was sent arrives, as far as is known: the last sign of life is at most a second old. */
  live(): boolean
  /** Gives the connection back. It can be opened again. */
  close(): Promise<void>
}

export interface ListeningLineOptions {
  connect(ear: Ear): Promise<Listening>
  heard(payload: string): void
  /** It listens (again); what was sent before may have been missed. */
  connected(): void
}

/** Milliseconds since the last sign of life after which another one is asked for. */
const restless = 500
/** Milliseconds since the last sign of life for which a connection is trusted. */
const trusted = 1000
/** Milliseconds after which a question that was not answered means that the connection is gone. */
const hopeless = 5000
/** Milliseconds before connecting again: doubled with each failure. */
const [firstPause, longestPause] = [50, 5000]

interface Connection {
  readonly listening: Listening
  /** When the last question that was answered had been asked. */
  provenAt: number
  askedAt: number | undefined
}

/** Makes a line that is not open yet. */
export function listeningLine(options: ListeningLineOptions): ListeningLine {
  return new ReconnectingLine(options)
}

class ReconnectingLine implements ListeningLine {
  readonly #options: ListeningLineOptions
  #isOpen = false
  #connection: Connection | undefined
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  // What comes of an attempt that is no longer the newest does not count.
  #newest = 0

  constructor(options: ListeningLineOptions) {
    this.#options = options
  }

  open(): void {
    if (this.#isOpen) return
    this.#isOpen = true
    void this.#attempt()
  }

  live(): boolean {
    const connection = this.#connection
    if (!connection) return false
    const now = performance.now()
    const { provenAt, askedAt } = connection
    if (askedAt === undefined && now - provenAt > restless) this.#ping(connection, now)
    if (askedAt !== undefined && now - askedAt > hopeless) this.#lose(this.#newest)
    return now - provenAt <= trusted
  }

  async close(): Promise<void> {
    this.#isOpen = false
    this.#newest++
    clearTimeout(this.#retry)
    const connection = this.#connection
    this.#connection = undefined
    await connection?.listening.end()
  }

  async #attempt(): Promise<void> {
    const attempt = ++this.#newest
    const askedAt = performance.now()
    const { connect, heard, connected } = this.#options
    try {
      const listening = await connect({ heard, lost: () => this.#lose(attempt) })
      if (attempt !== this.#newest) return await listening.end()
      this.#connection = { listening, provenAt: askedAt, askedAt: undefined }
      this.#failures = 0
      connected()
    } catch (error) {
      if (!isCannotListen(error)) this.#lose(attempt)
    }
  }

  #lose(attempt: number): void {
    if (attempt !== this.#newest) return
    this.#newest++
    void this.#connection?.listening.end()
    this.#connection = undefined
    const pause = Math.min(firstPause * 2 ** this.#failures++, longestPause)
    this.#retry = setTimeout(() => void this.#attempt(), pause)
    // Nobody's process lives on for this alone.
    if (typeof this.#retry === 'object') this.#retry.unref?.()
  }

  #ping(connection: Connection, now: number): void {
    const attempt = this.#newest
    connection.askedAt = now
    const prove = () => Object.assign(connection, { provenAt: now, askedAt: undefined })
    connection.listening.ping().then(prove, () => this.#lose(attempt))
  }
}

const unable: unique symbol = Symbol('cannot listen')

/** An error that says: these clients never can, so it is no use to try again. */
export function cannotListen(reason: string): Error {
  return Object.assign(new Error(reason), { [unable]: true })
}

function isCannotListen(error: unknown): boolean {
  return error instanceof Error && unable in error
}
