/**
 * Does something for as long as it may last, even where it does not heed the signal that it is given.
 *
 * @param ms how long it may last; it then rejects with an `Error`.
 * @param given ends it at any moment; it then rejects with the signal's reason.
 */
export async function limited<T>(
  ms: number,
  given: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController()
  const { signal } = controller
  const end = () => controller.abort(given?.aborted ? given.reason : Error(`${ms} ms are over`))
  // No timer of any platform can be longer.
  const timer = setTimeout(end, Math.min(ms, 2 ** 31 - 1))
  given?.addEventListener('abort', end)
  try {
    return await Promise.race([
      work(signal),
      new Promise<never>((_, reject) => {
        signal.onabort = () => reject(signal.reason)
      }),
    ])
  } finally {
    clearTimeout(timer)
    given?.removeEventListener('abort', end)
  }
}
