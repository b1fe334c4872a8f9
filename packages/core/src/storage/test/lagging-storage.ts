import type { AccountStorage, Storage } from '../port.ts'

/** A storage as one of several processes uses it. */
export interface LaggingStorage extends Storage {
  /** The methods that were called, in order. */
  readonly asked: (keyof AccountStorage)[]
  /** Delays the change reports of other processes until `arrive`. */
  delay(): void
  /** Delivers the delayed reports, and delays no more. */
  arrive(): void
  /** Whether the storage reports the changes of other processes. */
  connected: boolean
}

/**
 * Returns a storage as a process uses it that shares it with others: its own commits are reported at once, those of other
 * processes as late as a test requires.
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
