import type { AccountStorage, Storage } from '@halyard/core/storage'

/** Called instead of each function of the storage. Calls the function, or returns another result. */
export type StorageInterceptor = (
  verb: keyof AccountStorage,
  call: () => Promise<unknown>,
  input: readonly unknown[],
) => Promise<unknown>

/** Makes a storage whose calls an interceptor handles. Closing it does not close the underlying storage. */
export function interceptStorage(storage: Storage, intercept: StorageInterceptor): Storage {
  return {
    name: storage.name,
    migrate: () => storage.migrate(),
    ping: () => storage.ping(),
    close: async () => {},
    account: (name) => interceptAccount(storage.account(name), intercept),
  }
}

function interceptAccount(account: AccountStorage, intercept: StorageInterceptor): AccountStorage {
  return new Proxy(account, {
    get(target, name) {
      // Without `watch` the engine does not cache reads, so that every read reaches the interceptor.
      if (name === 'watch' || name === 'immediate') return undefined
      // A dump is read as a stream, so no single result can replace it.
      if (name === 'dump') return () => target.dump()
      const verb = Reflect.get(target, name) as ((...args: unknown[]) => Promise<unknown>) | undefined
      if (verb === undefined) return undefined
      return (...args: unknown[]) => intercept(name as keyof AccountStorage, () => verb.apply(target, args), args)
    },
  })
}
