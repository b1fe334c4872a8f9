/**
 * Returns a function that returns true the first time it is called for a window, which is when old windows are deleted.
 */
export function trackWindows(): (window: number) => boolean {
  let newest = Number.NEGATIVE_INFINITY
  return (window) => {
    if (window <= newest) return false
    newest = window
    return true
  }
}
