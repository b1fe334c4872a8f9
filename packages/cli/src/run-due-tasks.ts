import type { Engine } from '@halyard/core'

/** Interval at which due tasks are searched, ms. */
const intervalMs = 1_000

/**
 * Maximum number of concurrent runs: a run that waits for a slow receiver does not prevent the next one from starting.
 */
const maxConcurrentRuns = 4

export interface TaskRunner {
  /** Notifies the runner that tasks may be due now. */
  wake(): void
  /** Aborts the current runs, and resolves when all have ended. */
  stop(): Promise<void>
}

/** Runs due tasks every second and whenever `wake` is called. A failed run is repeated at the next interval. */
export function startTaskRunner(engine: Pick<Engine, 'runDueTasks'>): TaskRunner {
  const stopController = new AbortController()
  const running = new Set<Promise<void>>()
  let wasSkipped = false

  function wake(): void {
    if (stopController.signal.aborted) return
    wasSkipped = running.size >= maxConcurrentRuns
    if (wasSkipped) return
    const run: Promise<void> = engine.runDueTasks({ signal: stopController.signal }).then(
      ({ more }) => runEnded(run, more || wasSkipped),
      () => runEnded(run, false),
    )
    running.add(run)
  }

  function runEnded(run: Promise<void>, isMoreDue: boolean): void {
    running.delete(run)
    // While other runs are processing due tasks, no run is started, because these runs also process the remaining
    // tasks.
    if (isMoreDue && running.size === 0) wake()
  }

  const interval = setInterval(wake, intervalMs)
  return {
    wake,
    async stop() {
      clearInterval(interval)
      stopController.abort()
      await Promise.all(running)
    },
  }
}
