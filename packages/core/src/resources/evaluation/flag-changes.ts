import type { Host } from '../../operation/context.ts'
import { changedFlags, type Ruleset } from '../../rules/evaluation/index.ts'
import type { HeldEnvironment } from './held-environment.ts'

/** Tells whoever listens which flags may have other values, each time some may. */
export interface FlagChanges {
  /** @returns ends it. */
  onChange(listener: (flagKeys: readonly string[]) => void): () => void
  /** Is told that what was held has been dropped: it is read again at once where somebody listens. */
  dropped(): void
}

/** Follows what is held as long as somebody listens: what has changed is found by comparing. */
export function flagChanges(held: HeldEnvironment, host: Host): FlagChanges {
  const listeners = new Set<{ readonly tell: (flagKeys: readonly string[]) => void }>()
  /** What those who listen know of; undefined where nothing has been read yet. */
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
        // Whoever changed a flag is not to suffer for it.
        host.log({ level: 'error', event: 'listener-failed', message: 'a listener of changed flags', error })
      }
    }
  }

  return {
    onChange(tell) {
      // Of its own, so that a function that is added twice is told twice and ends once.
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
