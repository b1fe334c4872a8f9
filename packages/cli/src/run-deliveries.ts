import type { Engine } from '@halyard/core'

/** Interval at which due tasks are searched, ms. */
const turnMs = 1_000

/**
 * Maximum number of concurrent runs: a run that waits for a slow receiver does not prevent the next one from starting.
 */
const mostAtOnce = 4

export interface Deliveries {
  /** Notifies the runner that tasks may be due now. */
  wake(): void
  /** Aborts the current runs, and resolves when all have ended. */
  stop(): Promise<void>
}

/** Runs due tasks every second and whenever `wake` is called. A failed run is repeated at the next interval. */
export function runDeliveries(engine: Pick<Engine, 'runDueTasks'>): Deliveries {
  const end = new AbortController()
  const running = new Set<Promise<void>>()
  let missed = false

  function wake(): void {
    if (end.signal.aborted) return
    missed = running.size >= mostAtOnce
    if (missed) return
    const look: Promise<void> = engine.runDueTasks({ signal: end.signal }).then(
      ({ more }) => done(look, more || missed),
      () => done(look, false),
    )
    running.add(look)
  }

  function done(look: Promise<void>, again: boolean): void {
    running.delete(look)
    // While other runs are processing due tasks, they continue with the rest.
    if (again && running.size === 0) wake()
  }

  const turns = setInterval(wake, turnMs)
  return {
    wake,
    async stop() {
      clearInterval(turns)
      end.abort()
      await Promise.all(running)
    },
  }
}
