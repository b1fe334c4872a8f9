import { type AccountStorage, type Storage, storageUnavailable } from '@halyard/core/storage'
import { createGate } from '../../../../test/setup/gate.ts'

/** A storage behind a network that a test can interrupt. */
export interface UnreliableStorage extends Storage {
  /** True while reads fail and change events are lost. */
  down: boolean
  /** Delays reads until the returned function is called. */
  hold(): () => void
}

/** Returns a storage behind an unreliable network. Closing it does not close the other storage. */
export function unreliableStorage(storage: Storage): UnreliableStorage {
  const { waitUntilOpen: passed, close: hold } = createGate()
  let reportAnyChange: (() => void) | undefined
  let down = false

  async function send<T>(request: () => Promise<T>): Promise<T> {
    await passed()
    if (down) throw storageUnavailable('the network is down')
    return request()
  }

  const overNetwork = (account: AccountStorage): AccountStorage => ({
    ...account,
    getMany: (ids) => send(() => account.getMany(ids)),
    list: (query) => send(() => account.list(query)),
    hasKey: (...key) => send(() => account.hasKey(...key)),
    watch(onChange) {
      const watch = account.watch?.((change) => {
        if (!down) onChange(change)
      })
      reportAnyChange = () => onChange('anything')
      return { live: () => !down && (watch?.live() ?? false), stop: async () => watch?.stop() }
    },
  })

  return {
    ...storage,
    close: async () => {},
    account: (name) => overNetwork(storage.account(name)),
    get down() {
      return down
    },
    set down(value) {
      const isRestored = down && !value
      down = value
      // The watch must report lost changes before it is live again.
      if (isRestored) reportAnyChange?.()
    },
    hold,
  }
}
