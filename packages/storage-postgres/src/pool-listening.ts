import { cannotListen } from './listening-line.ts'
import type { PostgresNotification, PostgresPool } from './postgres-pool.ts'
import type { Ear, Listening } from './sql-driver.ts'

/**
 * Checks a client out of the pool for the time that it listens.
 *
 * @throws the error of `cannotListen` for clients that emit no notifications, for a pool that would have no client
 *   left, and for a pool that ends.
 */
export async function listenOnPool(pool: PostgresPool, channel: string, ear: Ear): Promise<Listening> {
  if (pool.options?.max === 1) throw cannotListen('the pool has a single connection, and listening needs one of its own')
  if (pool.ending) throw cannotListen('the pool has ended')
  const client = await pool.connect()
  if (!client.on || !client.removeListener) {
    client.release()
    throw cannotListen('the clients of this pool do not emit notifications')
  }
  let given = false
  const hear = ({ payload }: PostgresNotification) => ear.heard(payload ?? '')
  const gone = () => {
    giveBack(new Error('the listening connection was lost'))
    ear.lost()
  }
  // A pool that ends waits for all of its clients, so this one must be released.
  const perhapsEnding = () => {
    if (pool.ending) gone()
  }

  function giveBack(error?: Error): void {
    if (given) return
    given = true
    client.removeListener?.('notification', hear)
    client.removeListener?.('error', gone)
    client.removeListener?.('end', gone)
    pool.removeListener?.('remove', perhapsEnding)
    client.ref?.()
    client.release(error)
  }

  client.on('notification', hear)
  client.on('error', gone)
  client.on('end', gone)
  pool.on?.('remove', perhapsEnding)
  // The connection alone must not keep the process alive.
  client.unref?.()
  const run = (text: string) => client.query({ text })
  try {
    await run(`listen "${channel}"`)
  } catch (error) {
    giveBack(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
  return {
    ping: async () => void (await run('select 1')),
    async end() {
      if (given) return
      const error = await run(`unlisten "${channel}"`).then(
        () => undefined,
        (thrown: Error) => thrown,
      )
      giveBack(error)
    },
  }
}
