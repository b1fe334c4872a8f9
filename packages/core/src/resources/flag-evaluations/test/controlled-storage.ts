import { type AccountStorage, type Storage, storageUnavailable } from '../../../entries/storage.ts'

/** The environment of the evaluations. */
export const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

/** Initial time of the clock. */
export const start = Date.UTC(2026, 10, 2, 9, 30)

/** Duration in milliseconds. */
export const hour = 60 * 60 * 1000

/** Duration in milliseconds. */
export const day = 24 * hour

/** Wraps a storage so that engines do not close it, and its commits fail on request. */
export function controlled(storage: Storage) {
  let down = false
  const account = (name: string): AccountStorage => {
    const inner = storage.account(name)
    return {
      ...inner,
      commit: (batch) => (down ? Promise.reject(storageUnavailable('down for a test')) : inner.commit(batch)),
    }
  }
  return {
    storage: { ...storage, account, close: async () => {} } satisfies Storage,
    setDown(value: boolean) {
      down = value
    },
  }
}
