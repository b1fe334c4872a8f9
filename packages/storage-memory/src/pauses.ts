/** Maximum time for which long work keeps the event loop, in ms. */
const maxMs = 5

/**
 * Makes a function that long work calls between its steps. It resolves immediately, or after other work of the process
 * had its turn when the event loop has been kept for 5 ms.
 */
export function pauses(): () => Promise<void> | undefined {
  let start = performance.now()
  return () => {
    if (performance.now() - start < maxMs) return undefined
    return new Promise((resolve) => {
      setTimeout(() => {
        start = performance.now()
        resolve()
      })
    })
  }
}
