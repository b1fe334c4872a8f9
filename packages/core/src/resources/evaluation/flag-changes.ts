import type { Host } from '../../operation/context.ts'
import { changedFlags, type Ruleset } from '../../rules/evaluation/index.ts'
import type { HeldEnvironment } from './held-environment.ts'

/** Notifies listeners of flags that may have other values. */
export interface FlagChanges {
  /** @returns a function that removes the listener. */
  onChange(listener: (flagKeys: readonly string[]) => void): () => void
  /** Called when the cached content was dropped. Reads it again at once when there are listeners. */
  dropped(): void
}

/** Compares the cached content before and after each update while there are listeners. */
export function flagChanges(held: HeldEnvironment, host: Host): FlagChanges {
  const listeners = new Set<{ readonly tell: (flagKeys: readonly string[]) => void }>()
  /** The content that listeners know; undefined before the first read. */
  let known: Ruleset | undefined
  let unfollow: (() => void) | undefined

  function changed(now: Ruleset | undefined): void {
    const before = known
    known = now ?? before
    if (!before || !now || before === now) return
    const flagKeys = changedFlags(before, now)
    if (flagKeys.length === 0) return
    for (const { tell } of [...listeners]) {
      try {
        tell(flagKeys)
      } catch (error) {
        // An error of a listener must not fail the call that changed a flag.
        host.log({ level: 'error', event: 'listener-failed', message: 'a listener of flag changes', error })
      }
    }
  }

  return {
    onChange(tell) {
      // A new object for each call, so that a function that is added twice is called twice and can be removed once.
      const mine = { tell }
      if (!unfollow) {
        known = held.content()?.ruleset
        unfollow = held.follow(({ content }) => changed(content?.ruleset))
      }
      listeners.add(mine)
      return () => {
        listeners.delete(mine)
        if (listeners.size > 0) return
        unfollow?.()
        unfollow = undefined
        known = undefined
      }
    },
    dropped() {
      if (unfollow) held.told('anything')
    },
  }
}
