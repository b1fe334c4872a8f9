/**
 * Runs a task at an interval, until the returned function is called. It omits a run while the previous one is in
 * progress. The timer does not keep a process of Node alive.
 *
 * @param task never rejects.
 * @param intervalMs 0 for no runs, for runtimes without timers.
 */
export function startPolling(task: () => Promise<void>, intervalMs: number): () => void {
  if (intervalMs === 0) return () => {}
  let isRunning = false
  const timer = setInterval(async () => {
    if (isRunning) return
    isRunning = true
    await task()
    isRunning = false
  }, intervalMs)
  // In browsers and workers a timer is a number.
  if (typeof timer === 'object') (timer as { unref?(): void }).unref?.()
  return () => clearInterval(timer)
}

/** @throws RangeError naming the option, when it is not an interval. */
export function requireInterval(name: string, ms: number): void {
  if (!(ms >= 0)) throw new RangeError(`\`${name}\` must be a positive number of milliseconds, or 0`)
}
