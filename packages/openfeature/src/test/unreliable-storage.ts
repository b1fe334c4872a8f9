import { type AccountStorage, type Storage, storageUnavailable } from '@halyard/core/storage'
import { gate } from '../../../../test/setup/gate.ts'

/** What one process sees of a storage across a network that fails when a test says so. */
export interface UnreliableStorage extends Storage {
  /** Whether reads fail, and nothing is told of what others commit. */
  down: boolean
  /** Lets reads wait until the result is called. */
  hold(): () => void
}

/** One process's way to a storage that is elsewhere. Closing it leaves the storage open. */
export function unreliableStorage(sound: Storage): UnreliableStorage {
  const { passed, hold } = gate()
  let tellAnything: (() => void) | undefined
  let down = false

  async function through<T>(ask: () => Promise<T>): Promise<T> {
    await passed()
    if (down) throw storageUnavailable('the network is down')
    return ask()
  }

  const overNetwork = (account: AccountStorage): AccountStorage => ({
    ...account,
    getMany: (ids) => through(() => account.getMany(ids)),
    list: (query) => through(() => account.list(query)),
    hasKey: (...asked) => through(() => account.hasKey(...asked)),
    watch(told) {
      const watching = account.watch?.((touched) => {
        if (!down) told(touched)
      })
      tellAnything = () => told('anything')
      return { live: () => !down && (watching?.live() ?? false), stop: async () => watching?.stop() }
    },
  })

  return {
    ...sound,
    close: async () => {},
    account: (name) => overNetwork(sound.account(name)),
    get down() {
      return down
    },
    set down(value) {
      const back = down && !value
      down = value
      // What was missed meanwhile is told before the watch counts as live again.
      if (back) tellAnything?.()
    },
    hold,
  }
}
