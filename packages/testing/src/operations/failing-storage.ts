import { type AccountStorage, type Storage, storageUnavailable } from '@halyard/core'

/** How many more calls a storage lets pass before it is gone for good. */
export interface Countdown {
  left: number
}

/** A storage that lets a number of calls pass and then cannot be reached any more. */
export function failingStorage(sound: Storage, countdown: Countdown): Storage {
  return {
    name: sound.name,
    migrate: () => sound.migrate(),
    ping: () => sound.ping(),
    close: async () => {},
    account: (name) => failingAccount(sound.account(name), countdown),
  }
}

function failingAccount(sound: AccountStorage, countdown: Countdown): AccountStorage {
  return new Proxy(sound, {
    get(target, name) {
      const verb = Reflect.get(target, name) as (...input: unknown[]) => Promise<unknown>
      return async (...input: unknown[]) => {
        if (countdown.left-- <= 0) throw storageUnavailable('the storage is gone')
        return verb.apply(target, input)
      }
    },
  })
}
