import { type AccountStorage, type Storage, storageUnavailable } from '../../../entries/storage.ts'

/** The environment whose evaluations are counted. */
export const place = { projectKey: 'web', environmentKey: 'production' }

/** What the clock says first. */
export const start = Date.UTC(2026, 10, 2, 9, 30)

/** In milliseconds. */
export const hour = 60 * 60 * 1000

/** In milliseconds. */
export const day = 24 * hour

/** A storage that engines do not close, and whose commits fail as long as somebody says so. */
export function movable(storage: Storage) {
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
