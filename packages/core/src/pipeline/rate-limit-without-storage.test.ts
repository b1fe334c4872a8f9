import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../operation/context.ts'
import { createEngine } from '../whole-engine.ts'
import { RateLimiter } from './rate-limit.ts'
import { limits, type Reserve, request, sharedReserve, silent, windowMs } from './test/limits-of-processes.ts'

describe('a rate limit whose storage fails', () => {
  it('is counted by each process alone until the window ends, and logs that once', async () => {
    const entries: LogEntry[] = []
    const reserve = sharedReserve()
    let down = true
    let questions = 0
    const limiter = new RateLimiter(limits(1000, 3), { log: (entry) => void entries.push(entry) }, async (share) => {
      questions++
      if (down) throw new Error('down')
      return reserve(share)
    })
    const admittedAt = async (now: number) => {
      const answers = await Promise.all(
        ['x', 'y', 'z'].flatMap((operation) => [1, 2, 3, 4].map(() => request(limiter, 'a', operation, now))),
      )
      return answers.filter(({ admitted }) => admitted).length
    }
    expect(await admittedAt(0)).toBe(9)
    expect(await admittedAt(1)).toBe(0)
    const { level, event, error } = entries[0] as LogEntry
    expect([entries.length, level, event, String(error)]).toEqual([1, 'warn', 'rate-limit-not-shared', 'Error: down'])
    const asked = questions
    await request(limiter, 'b', 'x', 2)
    expect(questions).toBe(asked)

    down = false
    await reserve({ key: 'a x', window: windowMs, until: 2 * windowMs, limit: 3, wanted: 2 })
    // Another process has used two of the three requests to x.
    expect(await admittedAt(windowMs)).toBe(7)
    expect(entries).toHaveLength(1)
  })

  it('does not grant again what was counted before', async () => {
    const reserve = sharedReserve()
    let down = false
    const limiter = new RateLimiter(limits(1000, 40), silent, async (share) => {
      if (down) throw new Error('down')
      return reserve(share)
    })
    let admitted = 0
    for (let i = 0; i < 100; i++) {
      down = i >= 7
      if ((await request(limiter, 'a', 'x', 0)).admitted) admitted++
    }
    expect(admitted).toBe(40)
  })
})

describe('the option `rateLimit`', () => {
  const get = (authorization: string) => ({
    method: 'GET',
    path: '/api/v2/projects',
    query: '',
    header: (name: string) => (name === 'authorization' ? authorization : undefined),
    body: { kind: 'parsed', value: undefined } as const,
  })

  async function statuses(shared: boolean | undefined, name = 'memory'): Promise<number[]> {
    const storage = { ...createMemoryStorage(), name }
    const clock = () => 5000
    const engines = [0, 1].map(() => createEngine({ storage, clock, rateLimit: { route: 3, shared } }))
    const made = await engines[0]?.bootstrap()
    const answers: number[] = []
    for (let i = 0; i < 6; i++) {
      const answer = await engines[i % 2]?.handle(get(made?.token ?? ''))
      answers.push(answer?.status ?? 0)
    }
    return answers
  }

  it('is shared by two engines over one storage', async () => {
    expect(await statuses(true)).toEqual([200, 200, 200, 429, 429, 429])
  })

  it('is shared by default, except on a storage in memory', async () => {
    expect(await statuses(undefined)).toEqual([200, 200, 200, 200, 200, 200])
    expect(await statuses(false, 'postgres')).toEqual([200, 200, 200, 200, 200, 200])
    expect(await statuses(undefined, 'postgres')).toEqual([200, 200, 200, 429, 429, 429])
  })

  it('throws for `shared` on a storage that cannot share', () => {
    const memory = createMemoryStorage()
    const storage = { ...memory, account: (name: string) => ({ ...memory.account(name), reserve: undefined }) }
    expect(() => createEngine({ storage, rateLimit: { shared: true } })).toThrow(RangeError)
    expect(() => createEngine({ storage })).not.toThrow()
  })

  it('requests no lease for unknown tokens', async () => {
    const memory = createMemoryStorage()
    let questions = 0
    const account = (name: string) => {
      const sound = memory.account(name)
      const reserve: Reserve = async (share) => {
        questions++
        return sound.reserve?.(share) ?? { granted: 0, left: 0 }
      }
      return { ...sound, reserve }
    }
    const engine = createEngine({ storage: { ...memory, account }, rateLimit: { shared: true } })
    const made = await engine.bootstrap()
    for (let i = 0; i < 200; i++) {
      const { status } = await engine.handle(get(`api-${i}`))
      expect(status).toBe(401)
    }
    expect(questions).toBe(0)
    await engine.handle(get(made?.token ?? ''))
    expect(questions).toBe(2)
  })
})
