import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cannotListen, listeningLine } from './listening-line.ts'
import type { Ear } from './sql-driver.ts'

/** A line whose other end does what a test wants; `answering` says whether pings are answered, and `open` whether it can be reached. */
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

describe('a line', () => {
  it('is live once it listens, and not before', async () => {
    const { line, end } = testLine()
    expect(line.live()).toBe(false)
    line.open()
    expect(line.live()).toBe(false)
    await pass(0)
    expect(line.live()).toBe(true)
    expect(end.connected).toBe(1)
  })

  it('asks for a sign of life when the last one is half a second old, and once', async () => {
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

  it('is not live a second after the last sign of life, until there is another one', async () => {
    const { line } = testLine()
    line.open()
    await pass(1001)
    expect(line.live()).toBe(false)
    await pass(0)
    expect(line.live()).toBe(true)
  })

  it('whose other end does not answer is not live, and given up after five seconds', async () => {
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

  it('that is lost is not live at once, and connects again', async () => {
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

  it('waits longer with each failure, five seconds at most, and begins anew after a success', async () => {
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

  it('that never can is not tried again', async () => {
    const { line, end } = testLine()
    end.able = false
    line.open()
    await pass(60_000)
    expect(line.live()).toBe(false)
    expect(end.attempts).toBe(1)
  })

  it('gives its connection back when it is closed, also one that is still to come', async () => {
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
