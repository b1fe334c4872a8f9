import { type Reason, reasons } from './failure.ts'

export interface TimeLimit {
  /** Aborted with a `Reason`. */
  readonly signal: AbortSignal
  /** Clears the timer and removes the listeners of the other signals. */
  end(): void
}

/**
 * Makes a signal for one exchange. It is aborted by the time limit, or by the first cause that is aborted.
 * @param ms maximum duration of the whole exchange.
 * @param causes signals that abort it earlier, each with its reason.
 */
export function timeLimit(ms: number, causes: readonly (readonly [AbortSignal | undefined, Reason])[]): TimeLimit {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(reasons.timeOut), ms)
  const removeListeners = causes.map(([signal, reason]) => {
    const onAbort = () => controller.abort(reason)
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort)
    return () => signal?.removeEventListener('abort', onAbort)
  })
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      for (const removeListener of removeListeners) removeListener()
    },
  }
}

/**
 * Resolves with the result of a promise, or rejects with the signal's reason as soon as the signal is aborted. A later
 * result is ignored.
 */
export async function raceWithSignal<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  let onAbort = () => {}
  const abortion = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    if (signal.aborted) onAbort()
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([promise, abortion])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
