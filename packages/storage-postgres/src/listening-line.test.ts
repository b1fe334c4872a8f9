import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cannotListen, listeningLine } from './listening-line.ts'
import type { Ear } from './sql-driver.ts'

/**
 * Returns a listener connection to a simulated server. `answering` decides whether the server answers pings, `open`
 * whether it can be reached, and `able` whether its clients can listen at all.
 */
function testLine() {
  const end = { open: true, answering: true, able: true, attempts: 0, ended: 0, connected: 0, pings: 0 }
  let ear: Ear | undefined
  const line = listeningLine({
    async connect(given) {
      end.attempts++
      if (!end.able) throw cannotListen('never')
      if (!end.open) throw new Error('refused')
      ear = given
      return {
        ping: () => {
          end.pings++
          return end.answering ? Promise.resolve() : new Promise<void>(() => {})
        },
        end: async () => void end.ended++,
      }
    },
    heard: () => {},
    connected: () => end.connected++,
  })
  return { line, end, lose: () => ear?.lost() }
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('a listener connection', () => {
  it('is live once it listens, and not before', async () => {
    const { line, end } = testLine()
    expect(line.live()).toBe(false)
    line.open()
    expect(line.live()).toBe(false)
    await pass(0)
    expect(line.live()).toBe(true)
    expect(end.connected).toBe(1)
  })

  it('sends one ping when the last answer is half a second old', async () => {
    const { line, end } = testLine()
    line.open()
    await pass(499)
    expect(line.live()).toBe(true)
    expect(end.pings).toBe(0)
    await pass(100)
    expect([line.live(), line.live(), line.live()]).toEqual([true, true, true])
    expect(end.pings).toBe(1)
    await pass(400)
    expect(line.live()).toBe(true)
  })

  it('is not live from one second after the last answer until the next one', async () => {
    const { line } = testLine()
    line.open()
    await pass(1001)
    expect(line.live()).toBe(false)
    await pass(0)
    expect(line.live()).toBe(true)
  })

  it('is not live when the server does not answer, and is replaced after five seconds', async () => {
    const { line, end } = testLine()
    line.open()
    await pass(600)
    end.answering = false
    expect(line.live()).toBe(true)
    await pass(500)
    expect(line.live()).toBe(false)
    expect(end.attempts).toBe(1)
    end.answering = true
    await pass(5000)
    expect(line.live()).toBe(false)
    await pass(50)
    expect(end).toMatchObject({ attempts: 2, ended: 1, connected: 2 })
    expect(line.live()).toBe(true)
  })

  it('is not live once it is lost, and connects again', async () => {
    const { line, end, lose } = testLine()
    line.open()
    await pass(0)
    lose()
    expect(line.live()).toBe(false)
    lose()
    await pass(50)
    expect(line.live()).toBe(true)
    expect(end).toMatchObject({ attempts: 2, connected: 2 })
  })

  it('waits longer after each failure, at most five seconds, and starts with the shortest pause after a success', async () => {
    const { line, end, lose } = testLine()
    end.open = false
    line.open()
    await pass(50 + 100 + 200 + 400)
    expect(end.attempts).toBe(5)
    await pass(60_000)
    const attempts = end.attempts
    await pass(5000)
    expect(end.attempts).toBe(attempts + 1)
    end.open = true
    await pass(5000)
    expect(end.connected).toBe(1)
    lose()
    await pass(50)
    expect(line.live()).toBe(true)
  })

  it('does not try again when the clients can never listen', async () => {
    const { line, end } = testLine()
    end.able = false
    line.open()
    await pass(60_000)
    expect(line.live()).toBe(false)
    expect(end.attempts).toBe(1)
  })

  it('returns its client when it is closed, even one that it receives only afterwards', async () => {
    const { line, end } = testLine()
    line.open()
    await line.close()
    await pass(0)
    expect(end).toMatchObject({ attempts: 1, ended: 1, connected: 0 })
    line.open()
    await pass(0)
    expect(line.live()).toBe(true)
    await line.close()
    await pass(60_000)
    expect(line.live()).toBe(false)
    expect(end).toMatchObject({ attempts: 2, ended: 2, connected: 1 })
  })
})
