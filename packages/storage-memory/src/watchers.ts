import type { Touched, Watching } from '@halyard/core/storage'

type Told = (touched: readonly Touched[] | 'anything') => void

/** Those who want to know what is committed to one account. */
export interface Watchers {
  tell: Told
  add(told: Told): Watching
  /** Nothing is told any more: whoever remembers something must not rely on it. */
  close(): void
}

/**
 * Makes an empty list of watchers. They are told at once, before the commit is answered.
 *
 * @param open whether the storage is.
 */
export function createWatchers(open: () => boolean): Watchers {
  const all = new Set<Told>()
  return {
    tell(touched) {
      for (const told of all) told(touched)
    },
    close: () => all.clear(),
    add(told) {
      // Of its own, so that a function that is added twice is told twice and stops once.
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
