import type { Engine } from '@halyard/core'

/** How often due deliveries are looked for, ms. */
const turnMs = 1_000

/** Looks at once: one that waits for a slow receiver does not keep the next one from starting. */
const mostAtOnce = 4

export interface Deliveries {
  /** Something may be due now. */
  wake(): void
  /** Cuts off what is under way, and resolves when nothing is. */
  stop(): Promise<void>
}

/** Delivers what is due, every second and whenever it is woken. What fails now is tried again in the next turn. */
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
    // Where other looks are busy with all that is due, they go on with it.
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
