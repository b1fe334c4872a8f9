import type { AccountStorage, Storage } from '../port.ts'

/** A storage as one of several processes uses it. */
export interface LaggingStorage extends Storage {
  /** The methods that were called, in order. */
  readonly calls: (keyof AccountStorage)[]
  /** Delays the change reports of other processes until `arrive`. */
  delay(): void
  /** Delivers the delayed reports, and stops the delay. */
  arrive(): void
  /** True while the storage reports the changes of other processes. */
  connected: boolean
}

/**
 * Returns the storage of a process that shares it with others: its own commits are reported immediately, those of other
 * processes as late as a test requires.
 */
export function laggingStorage(storage: Storage): LaggingStorage {
  const calls: (keyof AccountStorage)[] = []
  let delayedReports: (() => void)[] | undefined
  let committing = false

  const shared: LaggingStorage = {
    ...storage,
    calls,
    connected: true,
    delay() {
      delayedReports ??= []
    },
    arrive() {
      const reports = delayedReports ?? []
      delayedReports = undefined
      for (const report of reports) report()
    },
    account(name) {
      const { immediate: _, ...account } = storage.account(name)
      const recorded = Object.fromEntries(
        Object.entries(account).map(([verb, method]) => [
          verb,
          (...input: never[]) => {
            calls.push(verb as keyof AccountStorage)
            return (method as (...input: never[]) => unknown)(...input)
          },
        ]),
      ) as unknown as AccountStorage
      return {
        ...recorded,
        commit(batch) {
          committing = true
          const committed = recorded.commit(batch)
          committing = false
          return committed
        },
        watch(onChange) {
          const watching = account.watch?.((touched) => {
            if (committing || !delayedReports) onChange(touched)
            else delayedReports.push(() => onChange(touched))
          })
          return { live: () => shared.connected && (watching?.live() ?? false), stop: async () => watching?.stop() }
        },
      }
    },
  }
  return shared
}
