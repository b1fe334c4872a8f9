/** Maximum time for which long work blocks the event loop, in ms. */
const maxMs = 5

/**
 * Makes a function that long work calls between its steps. It resolves immediately, unless the work has blocked the
 * event loop for 5 ms: then it lets other work of the process run first.
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
