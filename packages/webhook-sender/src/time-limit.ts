import { type Reason, reasons } from './failure.ts'

export interface TimeLimit {
  /** Aborted with the `Reason` why. */
  readonly signal: AbortSignal
  /** Lets go of the timer and of what else could have ended it. */
  end(): void
}

/**
 * A signal for one exchange, which ends with the first of these.
 *
 * @param ms how long the exchange may take as a whole.
 * @param others signals that end it earlier, each with its reason.
 */
export function timeLimit(ms: number, others: readonly (readonly [AbortSignal | undefined, Reason])[]): TimeLimit {
  const own = new AbortController()
  const timer = setTimeout(() => own.abort(reasons.timeOut), ms)
  const undo = others.map(([signal, reason]) => {
    const stop = () => own.abort(reason)
    if (signal?.aborted) stop()
    signal?.addEventListener('abort', stop)
    return () => signal?.removeEventListener('abort', stop)
  })
  return {
    signal: own.signal,
    end() {
      clearTimeout(timer)
      for (const each of undo) each()
    },
  }
}

/** What a promise gives, unless the signal is aborted first; then what it gives is nobody's concern any more. */
export async function before<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
  })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
