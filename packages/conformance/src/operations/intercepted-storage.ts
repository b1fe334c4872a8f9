import type { AccountStorage, Storage } from '@halyard/core/storage'

/** Called instead of each storage verb. Makes the call, or returns a result of its own. */
export type Intercept = (verb: keyof AccountStorage, call: () => Promise<unknown>) => Promise<unknown>

/** Makes a storage whose calls an interceptor handles. Closing it does not close the underlying storage. */
export function interceptedStorage(sound: Storage, intercept: Intercept): Storage {
  return {
    name: sound.name,
    migrate: () => sound.migrate(),
    ping: () => sound.ping(),
    close: async () => {},
    account: (name) => interceptedAccount(sound.account(name), intercept),
  }
}

function interceptedAccount(sound: AccountStorage, intercept: Intercept): AccountStorage {
  return new Proxy(sound, {
    get(target, name) {
      // Without `watch` the engine does not cache reads, so that every read reaches the interceptor.
      if (name === 'watch' || name === 'immediate') return undefined
      // A dump is read as a stream, so no single result can replace it.
      if (name === 'dump') return () => target.dump()
      const verb = Reflect.get(target, name) as (...input: unknown[]) => Promise<unknown>
      return (...input: unknown[]) => intercept(name as keyof AccountStorage, () => verb.apply(target, input))
    },
  })
}
