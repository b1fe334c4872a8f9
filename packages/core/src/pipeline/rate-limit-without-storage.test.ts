import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { LogEntry } from '../operation/context.ts'
import { createEngine } from '../whole-engine.ts'
import { RateLimiter } from './rate-limit.ts'
import { limits, type Reserve, request, sharedReserve, silent, windowMs } from './test/limits-of-processes.ts'

describe('a rate limit whose storage fails', () => {
  it('is counted by each process alone until the window ends, and the failure is logged once', async () => {
    const entries: LogEntry[] = []
    const reserve = sharedReserve()
    let down = true
    let leaseRequests = 0
    const limiter = new RateLimiter(limits(1000, 3), { log: (entry) => void entries.push(entry) }, async (query) => {
      leaseRequests++
      if (down) throw new Error('down')
      return reserve(query)
    })
    const admittedAt = async (now: number) => {
      const responses = await Promise.all(
        ['x', 'y', 'z'].flatMap((operation) => [1, 2, 3, 4].map(() => request(limiter, 'a', operation, now))),
      )
      return responses.filter(({ admitted }) => admitted).length
    }
    expect(await admittedAt(0)).toBe(9)
    expect(await admittedAt(1)).toBe(0)
    const { level, event, error } = entries[0] as LogEntry
    expect([entries.length, level, event, String(error)]).toEqual([1, 'warn', 'rate-limit-not-shared', 'Error: down'])
    const requestsBefore = leaseRequests
    await request(limiter, 'b', 'x', 2)
    expect(leaseRequests).toBe(requestsBefore)

    down = false
    await reserve({ key: 'a x', window: windowMs, until: 2 * windowMs, limit: 3, requested: 2 })
    // Another process has used two of the three requests to x.
    expect(await admittedAt(windowMs)).toBe(7)
    expect(entries).toHaveLength(1)
  })

  it('does not grant requests again that were counted before the failure', async () => {
    const reserve = sharedReserve()
    let down = false
    const limiter = new RateLimiter(limits(1000, 40), silent, async (query) => {
      if (down) throw new Error('down')
      return reserve(query)
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
    const bootstrapped = await engines[0]?.bootstrap()
    const responses: number[] = []
    for (let i = 0; i < 6; i++) {
      const response = await engines[i % 2]?.handle(get(bootstrapped?.token ?? ''))
      responses.push(response?.status ?? 0)
    }
    return responses
  }

  it('with `shared` applies one limit to two engines over one storage', async () => {
    expect(await statuses(true)).toEqual([200, 200, 200, 429, 429, 429])
  })

  it('applies one limit to both engines by default, except on a storage in memory', async () => {
    expect(await statuses(undefined)).toEqual([200, 200, 200, 200, 200, 200])
    expect(await statuses(false, 'postgres')).toEqual([200, 200, 200, 200, 200, 200])
    expect(await statuses(undefined, 'postgres')).toEqual([200, 200, 200, 429, 429, 429])
  })

  it('throws when `shared` is set on a storage that cannot share limits', () => {
    const memory = createMemoryStorage()
    const storage = { ...memory, account: (name: string) => ({ ...memory.account(name), reserve: undefined }) }
    expect(() => createEngine({ storage, rateLimit: { shared: true } })).toThrow(RangeError)
    expect(() => createEngine({ storage })).not.toThrow()
  })

  it('counts unknown tokens without a quota lease', async () => {
    const memory = createMemoryStorage()
    let leaseRequests = 0
    const account = (name: string) => {
      const accountStorage = memory.account(name)
      const reserve: Reserve = async (query) => {
        leaseRequests++
        return accountStorage.reserve?.(query) ?? { granted: 0, remaining: 0 }
      }
      return { ...accountStorage, reserve }
    }
    const engine = createEngine({ storage: { ...memory, account }, rateLimit: { shared: true } })
    const bootstrapped = await engine.bootstrap()
    for (let i = 0; i < 200; i++) {
      const { status } = await engine.handle(get(`api-${i}`))
      expect(status).toBe(401)
    }
    expect(leaseRequests).toBe(0)
    await engine.handle(get(bootstrapped?.token ?? ''))
    expect(leaseRequests).toBe(2)
  })
})
