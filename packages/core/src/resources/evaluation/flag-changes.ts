import type { Host } from '../../operation/context.ts'
import { changedFlags, type Ruleset } from '../../rules/evaluation/index.ts'
import type { CachedEnvironment } from './cached-environment.ts'

/** Notifies listeners of flags that may have other values. */
export interface FlagChanges {
  /** Adds a listener. Returns a function that removes it. */
  onChange(listener: (flagKeys: readonly string[]) => void): () => void
  /** Called when the cached content was dropped. Reads it again immediately when there are listeners. */
  onCleared(): void
}

/** Compares the cached content before and after each update while there are listeners. */
export function flagChanges(cached: CachedEnvironment, host: Host): FlagChanges {
  const listeners = new Set<{ readonly notify: (flagKeys: readonly string[]) => void }>()
  /** The last content that was compared; undefined before the first read. */
  let lastRuleset: Ruleset | undefined
  let unsubscribe: (() => void) | undefined

  function compareAndNotify(now: Ruleset | undefined): void {
    const before = lastRuleset
    lastRuleset = now ?? before
    if (!before || !now || before === now) return
    const flagKeys = changedFlags(before, now)
    if (flagKeys.length === 0) return
    for (const { notify } of [...listeners]) {
      try {
        notify(flagKeys)
      } catch (error) {
        // An error of a listener must not fail the call that changed a flag.
        host.log({ level: 'error', event: 'listener-failed', message: 'a listener of flag changes', error })
      }
    }
  }

  return {
    onChange(notify) {
      // A new object for each call, so that a function that is added twice is called twice and can be removed once.
      const entry = { notify }
      if (!unsubscribe) {
        lastRuleset = cached.content()?.ruleset
        unsubscribe = cached.subscribe(({ content }) => compareAndNotify(content?.ruleset))
      }
      listeners.add(entry)
      return () => {
        listeners.delete(entry)
        if (listeners.size > 0) return
        unsubscribe?.()
        unsubscribe = undefined
        lastRuleset = undefined
      }
    },
    onCleared() {
      if (unsubscribe) cached.invalidate('anything')
    },
  }
}
