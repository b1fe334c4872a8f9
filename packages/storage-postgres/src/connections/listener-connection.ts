import type { NotificationListener, Subscription } from './sql-driver.ts'

/** A connection that receives change notifications while it is open, and that is replaced when it breaks. */
export interface ListenerConnection {
  /** Connects, unless the connection is open or connecting already. */
  open(): void
  /**
   * Returns true while notifications can be expected to arrive: the last response of the server is at most a second
   * old.
   */
  live(): boolean
  /** Returns the client to the pool. The connection can be opened again. */
  close(): Promise<void>
}

export interface ListenerConnectionOptions {
  connect(listener: NotificationListener): Promise<Subscription>
  onNotification(payload: string): void
  /**
   * Called when the connection listens, also after it was replaced. Notifications that were sent before may have been
   * missed.
   */
  onConnected(): void
}

/** Time since the last response after which a ping is sent, ms. */
const pingAfterMs = 500
/** Time since the last response during which the connection counts as live, ms. */
const trustedMs = 1000
/** Time after which a ping without a response means that the connection is lost, ms. */
const pingTimeoutMs = 5000
/** Time before connecting again, ms: doubled with each failure. */
const [minRetryMs, maxRetryMs] = [50, 5000]

interface LiveConnection {
  readonly subscription: Subscription
  /** Time at which the last ping that received a response was sent. */
  confirmedAt: number
  pingedAt: number | undefined
}

/** Makes a listener connection. The caller opens it later. */
export function listenerConnection(options: ListenerConnectionOptions): ListenerConnection {
  return new ReconnectingLine(options)
}

class ReconnectingLine implements ListenerConnection {
  readonly #options: ListenerConnectionOptions
  #isOpen = false
  #connection: LiveConnection | undefined
  #failures = 0
  #retry: ReturnType<typeof setTimeout> | undefined
  // Number of the latest attempt to connect. Results of earlier attempts are ignored.
  #newest = 0

  constructor(options: ListenerConnectionOptions) {
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
    const { confirmedAt, pingedAt } = connection
    if (pingedAt === undefined && now - confirmedAt > pingAfterMs) this.#ping(connection, now)
    if (pingedAt !== undefined && now - pingedAt > pingTimeoutMs) this.#lose(this.#newest)
    return now - confirmedAt <= trustedMs
  }

  async close(): Promise<void> {
    this.#isOpen = false
    this.#newest++
    clearTimeout(this.#retry)
    const connection = this.#connection
    this.#connection = undefined
    await connection?.subscription.end()
  }

  async #attempt(): Promise<void> {
    const connectOnce = ++this.#newest
    const pingedAt = performance.now()
    const { connect, onNotification, onConnected } = this.#options
    try {
      const listening = await connect({ onNotification, onLost: () => this.#lose(connectOnce) })
      if (connectOnce !== this.#newest) return await listening.end()
      this.#connection = { subscription: listening, confirmedAt: pingedAt, pingedAt: undefined }
      this.#failures = 0
      onConnected()
    } catch (error) {
      if (!isCannotListen(error)) this.#lose(connectOnce)
    }
  }

  #lose(connectOnce: number): void {
    if (connectOnce !== this.#newest) return
    this.#newest++
    void this.#connection?.subscription.end()
    this.#connection = undefined
    const pause = Math.min(minRetryMs * 2 ** this.#failures++, maxRetryMs)
    this.#retry = setTimeout(() => void this.#attempt(), pause)
    // The connection alone must not keep the process alive.
    if (typeof this.#retry === 'object') this.#retry.unref?.()
  }

  #ping(connection: LiveConnection, now: number): void {
    const connectOnce = this.#newest
    connection.pingedAt = now
    const prove = () => Object.assign(connection, { confirmedAt: now, pingedAt: undefined })
    connection.subscription.ping().then(prove, () => this.#lose(connectOnce))
  }
}

const cannotListenMark: unique symbol = Symbol('cannot listen')

/** Creates the error for clients that can never listen. After this error, the listener does not connect again. */
export function listenError(reason: string): Error {
  return Object.assign(new Error(reason), { [cannotListenMark]: true })
}

function isCannotListen(error: unknown): boolean {
  return error instanceof Error && cannotListenMark in error
}
