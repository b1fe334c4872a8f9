import type { Ear, Listening } from './sql-driver.ts'

/** A connection that receives notices while it is open, and that is replaced when it breaks. */
export interface ListeningLine {
  /** Connects, unless it has done so. */
  open(): void
  /** Returns whether all notices arrive, as far as is known: the last answer of the server is at most a second old. */
  live(): boolean
  /** Returns the client to the pool. The connection can be opened again. */
  close(): Promise<void>
}

export interface ListeningLineOptions {
  connect(ear: Ear): Promise<Listening>
  heard(payload: string): void
  /**
   * Called when the connection listens, also after it was replaced. Notices that were sent before may have been missed.
   */
  connected(): void
}

/** Time since the last answer after which a ping is sent, ms. */
const restless = 500
/** Time since the last answer during which the connection is trusted, ms. */
const trusted = 1000
/** Time after which a ping without an answer means that the connection is lost, ms. */
const hopeless = 5000
/** Time before connecting again, ms: doubled with each failure. */
const [firstPause, longestPause] = [50, 5000]

interface Connection {
  readonly listening: Listening
  /** Time at which the last ping that was answered had been sent. */
  provenAt: number
  askedAt: number | undefined
}

/** Makes a connection that is not open yet. */
export function listeningLine(options: ListeningLineOptions): ListeningLine {
  return new ReconnectingLine(options)
}

class ReconnectingLine implements ListeningLine {
  readonly #options: ListeningLineOptions
  #isOpen = false
  #connection: Connection | undefined
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  // The result of an attempt counts only while that attempt is the latest.
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
    // The connection alone must not keep the process alive.
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

/** Makes the error of clients that can never listen, so that connecting again is useless. */
export function cannotListen(reason: string): Error {
  return Object.assign(new Error(reason), { [unable]: true })
}

function isCannotListen(error: unknown): boolean {
  return error instanceof Error && unable in error
}
