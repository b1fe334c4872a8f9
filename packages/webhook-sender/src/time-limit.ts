import { type Reason, reasons } from './failure.ts'

export interface TimeLimit {
  /** Aborted with a `Reason`. */
  readonly signal: AbortSignal
  /** Clears the timer and removes the listeners of the other signals. */
  end(): void
}

/**
 * Makes a signal for one exchange, which the first of these aborts.
 * @param ms maximum duration of the whole exchange.
 * @param others signals that abort it earlier, each with its reason.
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

/**
 * Resolves with the result of a promise, or rejects with the signal's reason as soon as the signal is aborted. A later
 * result is ignored.
 */
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
