import { cannotListen } from './listening-line.ts'
import type { PostgresNotification, PostgresPool } from './postgres-pool.ts'
import type { Ear, Listening } from './sql-driver.ts'

/**
 * Takes a client out of the pool for as long as it listens.
 *
 * @throws what `cannotListen` makes, for clients that tell nothing, and for a pool that would have none left or ends.
 */
export async function listenOnPool(pool: PostgresPool, channel: string, ear: Ear): Promise<Listening> {
  if (pool.options?.max === 1) throw cannotListen('the pool has one connection, and listening takes one')
  if (pool.ending) throw cannotListen('the pool is ended')
  const client = await pool.connect()
  if (!client.on || !client.removeListener) {
    client.release()
    throw cannotListen('the clients of this pool tell nothing')
  }
  let given = false
  const hear = ({ payload }: PostgresNotification) => ear.heard(payload ?? '')
  const gone = () => {
    giveBack(new Error('the connection that listens was lost'))
    ear.lost()
  }
  // A pool that ends waits for all of its clients, so this one must not be kept.
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
  // Nobody's process lives on for this alone.
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
