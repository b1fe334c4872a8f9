import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { listenError, listenerConnection } from './listener-connection.ts'
import type { NotificationListener } from './sql-driver.ts'

/**
 * Returns a listener connection to a simulated server. The simulated server answers pings while `answering` is true,
 * and can be reached while `open` is true. Its clients can listen while `able` is true.
 */
function testConnection() {
  const server = { open: true, answering: true, able: true, attempts: 0, ended: 0, connected: 0, pings: 0 }
  let listener: NotificationListener | undefined
  const connection = listenerConnection({
    async connect(newListener) {
      server.attempts++
      if (!server.able) throw listenError('never')
      if (!server.open) throw new Error('refused')
      listener = newListener
      return {
        ping: () => {
          server.pings++
          return server.answering ? Promise.resolve() : new Promise<void>(() => {})
        },
        end: async () => void server.ended++,
      }
    },
    onNotification: () => {},
    onConnected: () => server.connected++,
  })
  return { line: connection, end: server, breakConnection: () => listener?.onLost() }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())
const advanceTime = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('a listener connection', () => {
  it('is live once it listens, and not before', async () => {
    const { line: connection, end: server } = testConnection()
    expect(connection.live()).toBe(false)
    connection.open()
    expect(connection.live()).toBe(false)
    await advanceTime(0)
    expect(connection.live()).toBe(true)
    expect(server.connected).toBe(1)
  })

  it('sends one ping when the last answer is half a second old', async () => {
    const { line: connection, end: server } = testConnection()
    connection.open()
    await advanceTime(499)
    expect(connection.live()).toBe(true)
    expect(server.pings).toBe(0)
    await advanceTime(100)
    expect([connection.live(), connection.live(), connection.live()]).toEqual([true, true, true])
    expect(server.pings).toBe(1)
    await advanceTime(400)
    expect(connection.live()).toBe(true)
  })

  it('is not live when the last answer is more than a second old, until the next answer', async () => {
    const { line: connection } = testConnection()
    connection.open()
    await advanceTime(1001)
    expect(connection.live()).toBe(false)
    await advanceTime(0)
    expect(connection.live()).toBe(true)
  })

  it('is not live when the server does not answer, and is replaced after five seconds', async () => {
    const { line: connection, end: server } = testConnection()
    connection.open()
    await advanceTime(600)
    server.answering = false
    expect(connection.live()).toBe(true)
    await advanceTime(500)
    expect(connection.live()).toBe(false)
    expect(server.attempts).toBe(1)
    server.answering = true
    await advanceTime(5000)
    expect(connection.live()).toBe(false)
    await advanceTime(50)
    expect(server).toMatchObject({ attempts: 2, ended: 1, connected: 2 })
    expect(connection.live()).toBe(true)
  })

  it('is not live once it is lost, and connects again', async () => {
    const { line: connection, end: server, breakConnection } = testConnection()
    connection.open()
    await advanceTime(0)
    breakConnection()
    expect(connection.live()).toBe(false)
    breakConnection()
    await advanceTime(50)
    expect(connection.live()).toBe(true)
    expect(server).toMatchObject({ attempts: 2, connected: 2 })
  })

  it('waits longer after each failure, at most five seconds, and starts with the shortest pause after a success', async () => {
    const { line: connection, end: server, breakConnection } = testConnection()
    server.open = false
    connection.open()
    await advanceTime(50 + 100 + 200 + 400)
    expect(server.attempts).toBe(5)
    await advanceTime(60_000)
    const attempts = server.attempts
    await advanceTime(5000)
    expect(server.attempts).toBe(attempts + 1)
    server.open = true
    await advanceTime(5000)
    expect(server.connected).toBe(1)
    breakConnection()
    await advanceTime(50)
    expect(connection.live()).toBe(true)
  })

  it('does not try again when the clients can never listen', async () => {
    const { line: connection, end: server } = testConnection()
    server.able = false
    connection.open()
    await advanceTime(60_000)
    expect(connection.live()).toBe(false)
    expect(server.attempts).toBe(1)
  })

  it('returns its client to the pool when it is closed, even if it receives the client afterwards', async () => {
    const { line: connection, end: server } = testConnection()
    connection.open()
    await connection.close()
    await advanceTime(0)
    expect(server).toMatchObject({ attempts: 1, ended: 1, connected: 0 })
    connection.open()
    await advanceTime(0)
    expect(connection.live()).toBe(true)
    await connection.close()
    await advanceTime(60_000)
    expect(connection.live()).toBe(false)
    expect(server).toMatchObject({ attempts: 2, ended: 2, connected: 1 })
  })
})
