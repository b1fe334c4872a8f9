import { listenError } from './listener-connection.ts'
import type { PostgresNotification, PostgresPool } from './postgres-pool.ts'
import type { NotificationListener, Subscription } from './sql-driver.ts'

/**
 * Checks a client out of the pool for the time that it listens.
 *
 * @throws the error of `listenError` for clients that emit no notifications, and for a pool that ends.
 */
export async function listenOnPool(
  pool: PostgresPool,
  channel: string,
  listener: NotificationListener,
): Promise<Subscription> {
  if (pool.ending) throw listenError('the pool has ended')
  const client = await pool.connect()
  if (!client.on || !client.removeListener) {
    client.release()
    throw listenError('the clients of this pool do not emit notifications')
  }
  let isReleased = false
  const onNotification = ({ payload }: PostgresNotification) => listener.onNotification(payload ?? '')
  const onGone = () => {
    release(new Error('the listening connection was lost'))
    listener.onLost()
  }
  // When a pool ends, it waits for all of its clients, so the client of the listener must be released.
  const releaseIfEnding = () => {
    if (pool.ending) onGone()
  }

  function release(error?: Error): void {
    if (isReleased) return
    isReleased = true
    client.removeListener?.('notification', onNotification)
    client.removeListener?.('error', onGone)
    client.removeListener?.('end', onGone)
    pool.removeListener?.('remove', releaseIfEnding)
    client.ref?.()
    client.release(error)
  }

  client.on('notification', onNotification)
  client.on('error', onGone)
  client.on('end', onGone)
  pool.on?.('remove', releaseIfEnding)
  // The connection alone must not keep the process alive.
  client.unref?.()
  const run = (text: string) => client.query({ text })
  try {
    await run(`listen "${channel}"`)
  } catch (error) {
    release(error instanceof Error ? error : new Error(String(error)))
    throw error
  }
  return {
    ping: async () => void (await run('select 1')),
    async end() {
      if (isReleased) return
      const error = await run(`unlisten "${channel}"`).then(
        () => undefined,
        (thrown: Error) => thrown,
      )
      release(error)
    },
  }
}
