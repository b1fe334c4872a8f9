import type { AccountStorage, Storage } from '@halyard/core/storage'

/** Stands between an engine and its storage: lets a call pass, or answers in its place. */
export type Intercept = (verb: keyof AccountStorage, call: () => Promise<unknown>) => Promise<unknown>

/** A storage whose calls pass through an intercept. Closing it leaves the sound one open. */
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
      // Nothing is remembered over it, since it is there to be asked.
      if (name === 'watch' || name === 'immediate') return undefined
      // What is read as it comes has no one answer to stand in for.
      if (name === 'dump') return () => target.dump()
      const verb = Reflect.get(target, name) as (...input: unknown[]) => Promise<unknown>
      return (...input: unknown[]) => intercept(name as keyof AccountStorage, () => verb.apply(target, input))
    },
  })
}
