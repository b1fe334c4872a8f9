import type { Touched, Watching } from '@halyard/core/storage'

type Told = (touched: readonly Touched[] | 'anything') => void

/** The listeners for commits of one account. */
export interface Watchers {
  tell: Told
  add(told: Told): Watching
  /** Ends all notifications: callers that cache something must not rely on it any longer. */
  close(): void
}

/**
 * Makes an empty list of listeners. They are notified synchronously, before the commit resolves.
 *
 * @param open returns whether the storage is open.
 */
export function createWatchers(open: () => boolean): Watchers {
  const all = new Set<Told>()
  return {
    tell(touched) {
      for (const told of all) told(touched)
    },
    close: () => all.clear(),
    add(told) {
      // A function of its own, so that a listener that is added twice is notified twice and can be stopped once.
      const mine: Told = (touched) => told(touched)
      all.add(mine)
      return {
        live: () => open() && all.has(mine),
        async stop() {
          all.delete(mine)
        },
      }
    },
  }
}
