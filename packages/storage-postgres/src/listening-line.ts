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
export function listeningLine({ connect, heard, connected }: ListeningLineOptions): ListeningLine {
  let wanted = false
  let connection: Connection | undefined
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  // What comes of an attempt that is no longer the newest does not count.
  let newest = 0

  async function attempt(): Promise<void> {
    const mine = ++newest
    const askedAt = performance.now()
    try {
      const listening = await connect({ heard, lost: () => lose(mine) })
      if (mine !== newest) return await listening.end()
      connection = { listening, provenAt: askedAt, askedAt: undefined }
      failures = 0
      connected()
    } catch (error) {
      if (!isCannotListen(error)) lose(mine)
    }
  }

  function lose(attempted: number): void {
    if (attempted !== newest) return
    newest++
    void connection?.listening.end()
    connection = undefined
    const pause = Math.min(firstPause * 2 ** failures++, longestPause)
    retry = setTimeout(() => void attempt(), pause)
    // Nobody's process lives on for this alone.
    if (typeof retry === 'object') retry.unref?.()
  }

  function ask(asked: Connection, now: number): void {
    const mine = newest
    asked.askedAt = now
    const answered = () => Object.assign(asked, { provenAt: now, askedAt: undefined })
    asked.listening.ping().then(answered, () => lose(mine))
  }

  return {
    open() {
      if (wanted) return
      wanted = true
      void attempt()
    },
    live() {
      if (!connection) return false
      const now = performance.now()
      const { provenAt, askedAt } = connection
      if (askedAt === undefined && now - provenAt > restless) ask(connection, now)
      if (askedAt !== undefined && now - askedAt > hopeless) lose(newest)
      return now - provenAt <= trusted
    },
    async close() {
      wanted = false
      newest++
      clearTimeout(retry)
      const closing = connection
      connection = undefined
      await closing?.listening.end()
    },
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
