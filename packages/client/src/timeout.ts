/** Maximum delay of a timer on every platform, ms. */
const maxDelay = 2 ** 31 - 1

/**
 * Runs work for a limited time. The promise rejects at the end of that time also when the work ignores its signal.
 *
 * @param ms the limit; then the promise rejects with an `Error`.
 * @param signal aborts the work; the promise rejects with its reason.
 * @param work receives a signal that is aborted in both cases.
 */
export async function withTimeout<T>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.aborted ? signal.reason : new Error(`no response within ${ms} ms`))
  const timer = setTimeout(abort, Math.min(ms, maxDelay))
  signal?.addEventListener('abort', abort)
  try {
    return await new Promise<T>((resolve, reject) => {
      controller.signal.onabort = () => reject(controller.signal.reason)
      work(controller.signal).then(resolve, reject)
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Resolves after a delay in ms, or as soon as the signal is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', end)
  })
}
