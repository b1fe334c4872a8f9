/** Returns a function that returns true at its first call for a window. The caller then deletes old windows. */
export function trackWindows(): (window: number) => boolean {
  let newest = Number.NEGATIVE_INFINITY
  return (window) => {
    if (window <= newest) return false
    newest = window
    return true
  }
}
