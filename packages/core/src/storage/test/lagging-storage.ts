import type { AccountStorage, Storage } from '../port.ts'

/** What one process sees of a storage that it shares with others. */
export interface LaggingStorage extends Storage {
  /** The verbs that were asked, in order. */
  readonly asked: (keyof AccountStorage)[]
  /** Keeps what others commit from being told, until `arrive`. */
  delay(): void
  /** Tells what was kept, and no more is. */
  arrive(): void
  /** Whether it is known what others commit. */
  connected: boolean
}

/**
 * One process's way to a storage that is elsewhere: what the process itself commits is told at once, what others commit
 * as late as a test wants.
 */
export function laggingStorage(sound: Storage): LaggingStorage {
  const asked: (keyof AccountStorage)[] = []
  let kept: (() => void)[] | undefined
  let committing = false

  const shared: LaggingStorage = {
    ...sound,
    asked,
    connected: true,
    delay() {
      kept ??= []
    },
    arrive() {
      const waiting = kept ?? []
      kept = undefined
      for (const tell of waiting) tell()
    },
    account(name) {
      const { immediate: _, ...account } = sound.account(name)
      const noted = Object.fromEntries(
        Object.entries(account).map(([verb, ask]) => [
          verb,
          (...input: never[]) => {
            asked.push(verb as keyof AccountStorage)
            return (ask as (...input: never[]) => unknown)(...input)
          },
        ]),
      ) as unknown as AccountStorage
      return {
        ...noted,
        commit(batch) {
          committing = true
          const committed = noted.commit(batch)
          committing = false
          return committed
        },
        watch(told) {
          const watching = account.watch?.((touched) => {
            if (committing || !kept) told(touched)
            else kept.push(() => told(touched))
          })
          return { live: () => shared.connected && (watching?.live() ?? false), stop: async () => watching?.stop() }
        },
      }
    },
  }
  return shared
}
