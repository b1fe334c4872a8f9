import type { StorageWatch, TouchedRecords } from '@halyard/core/storage'

type ChangeListener = (touched: readonly TouchedRecords[] | 'anything') => void

/** The listeners for commits of one account. */
export interface Watchers {
  notify: ChangeListener
  add(onChange: ChangeListener): StorageWatch
  /** Ends all notifications. Callers must discard cached values after that. */
  close(): void
}

/**
 * Makes an empty list of listeners. They are notified synchronously, before the commit resolves.
 *
 * @param open returns true while the storage is open.
 */
export function createWatchers(open: () => boolean): Watchers {
  const listeners = new Set<ChangeListener>()
  return {
    notify(touched) {
      for (const listener of listeners) listener(touched)
    },
    close: () => listeners.clear(),
    add(onChange) {
      // Each call makes a new function, so that a listener that is added twice is notified twice, and each of the two
      // can be removed.
      const listener: ChangeListener = (touched) => onChange(touched)
      listeners.add(listener)
      return {
        live: () => open() && listeners.has(listener),
        async stop() {
          listeners.delete(listener)
        },
      }
    },
  }
}
