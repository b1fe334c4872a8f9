import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateLimiter } from './rate-limit.ts'
import { limits, type Reserve, request, sharedReserve, silent, windowMs } from './test/limits-of-processes.ts'

const turns = async (count: number) => {
  for (let turn = 0; turn < count; turn++) await undefined
}

/** A simple model of the limits of a single process. */
function plainLimiter({ account, route }: { account: number; route: number }) {
  const counts = new Map<string, number>()
  const of = (key: string) => counts.get(key) ?? 0
  return (caller: string, operation: string, now: number) => {
    const window = Math.floor(now / windowMs)
    const keys = [`${window}`, `${window} ${caller} ${operation}`] as const
    const admitted = of(keys[0]) < account && of(keys[1]) < route
    if (admitted) for (const key of keys) counts.set(key, of(key) + 1)
    return { admitted, accountLeft: account - of(keys[0]), routeLeft: route - of(keys[1]) }
  }
}

const step = fc.record({
  limiter: fc.nat(3),
  caller: fc.constantFrom('a', 'b'),
  operation: fc.constantFrom('x', 'y'),
  later: fc.constantFrom(0, 0, 0, 1, 400),
  burst: fc.constantFrom(1, 1, 2, 30),
  turns: fc.nat(3),
})

const quantity = fc.integer({ min: 1, max: 120 })

describe('limits shared by processes', () => {
  it('are never exceeded by all processes together, in any order of requests and responses', async () => {
    await fc.assert(
      fc.asyncProperty(quantity, quantity, fc.array(step, { maxLength: 60 }), async (account, route, steps) => {
        const reserve = sharedReserve()
        const slow: Reserve = async (query) => {
          await turns(query.requested % 5)
          return reserve(query)
        }
        const limiters = [0, 1, 2, 3].map(() => new RateLimiter(limits(account, route), silent, slow))
        const admitted = new Map<string, number>()
        const pending: Promise<void>[] = []
        let now = 0
        for (const { limiter, caller, operation, later, burst, turns: pause } of steps) {
          now += later
          const window = Math.floor(now / windowMs)
          for (let i = 0; i < burst; i++) {
            const response = request(limiters[limiter] as RateLimiter, caller, operation, now)
            const count = async () => {
              if (!(await response).admitted) return
              for (const key of [`${window}`, `${window} ${caller} ${operation}`]) {
                admitted.set(key, (admitted.get(key) ?? 0) + 1)
              }
            }
            pending.push(count())
          }
          await turns(pause)
        }
        await Promise.all(pending)
        for (const [key, count] of admitted) expect(count).toBeLessThanOrEqual(key.includes(' ') ? route : account)
      }),
    )
  })

  it('are used up completely when every process sends requests until it refuses one', async () => {
    await fc.assert(
      fc.asyncProperty(quantity, fc.integer({ min: 1, max: 5 }), async (route, processes) => {
        const reserve = sharedReserve()
        const limiters = Array.from(
          { length: processes },
          () => new RateLimiter(limits(10_000, route), silent, reserve),
        )
        let admitted = 0
        let active = limiters
        while (active.length > 0) {
          const responses = await Promise.all(active.map((limiter) => request(limiter, 'a', 'x', 0)))
          admitted += responses.filter((limiter) => limiter.admitted).length
          active = active.filter((_, i) => responses[i]?.admitted)
        }
        expect(admitted).toBe(route)
      }),
    )
  })

  it.each([true, false])('are the same for a single process, shared or not (shared: %s)', async (shared) => {
    await fc.assert(
      fc.asyncProperty(quantity, quantity, fc.array(step, { maxLength: 200 }), async (account, route, steps) => {
        const limiter = new RateLimiter(limits(account, route), silent, shared ? sharedReserve() : undefined)
        const plain = plainLimiter({ account, route })
        let now = 0
        for (const { caller, operation, later, burst } of steps) {
          now += later
          for (let i = 0; i < burst; i++) {
            const { admitted, headers } = await request(limiter, caller, operation, now)
            const expected = plain(caller, operation, now)
            expect({
              admitted,
              accountLeft: Number(headers['x-ratelimit-global-remaining']),
              routeLeft: Number(headers['x-ratelimit-route-remaining']),
            }).toEqual(expected)
          }
        }
      }),
    )
  })

  it('report the remaining quota of all processes that the storage last reported to this process', async () => {
    const reserve = sharedReserve()
    const [limiter, secondLimiter] = [0, 1].map(() => new RateLimiter(limits(1000, 1000), silent, reserve)) as [
      RateLimiter,
      RateLimiter,
    ]
    const remainingOf = async (limiter: RateLimiter) =>
      Number((await request(limiter, 'a', 'x', 0)).headers['x-ratelimit-route-remaining'])
    expect(await remainingOf(limiter)).toBe(999)
    // The first process has leased a twentieth, which the second cannot use.
    expect(await remainingOf(secondLimiter)).toBe(949)
    expect(await remainingOf(limiter)).toBe(998)
  })

  it.each([1, 4])('cause a few dozen storage requests per window with %i processes', async (processes) => {
    const reserve = sharedReserve()
    let leaseRequests = 0
    const counted: Reserve = (query) => {
      leaseRequests++
      return reserve(query)
    }
    const limiters = Array.from({ length: processes }, () => new RateLimiter(limits(200_000, 20_000), silent, counted))
    let admitted = 0
    for (let i = 0; i < 24_000; i++) {
      const { admitted: yes } = await request(limiters[i % processes] as RateLimiter, 'a', 'x', 0)
      if (yes) admitted++
    }
    expect(admitted).toBe(20_000)
    expect(leaseRequests).toBeLessThan(40 + 12 * processes)
  })

  it('are counted synchronously while the process has a lease, which it renews in advance', async () => {
    let leaseRequests = 0
    let answering = true
    const reserve = sharedReserve()
    const limiter = new RateLimiter(limits(100_000, 100_000), silent, (query) => {
      leaseRequests++
      return answering ? reserve(query) : new Promise(() => {})
    })
    await limiter.admit('a', 'x', 0, {})
    expect(leaseRequests).toBe(2)
    answering = false
    for (let i = 1; i < 5000; i++) expect(limiter.admit('a', 'x', 0, {})).toBeUndefined()
    // The lease was requested before the earlier lease ran out, and no request waited for the response.
    await turns(3)
    expect(leaseRequests).toBe(4)
    expect(limiter.admit('a', 'x', 0, {})).toBeInstanceOf(Promise)
  })

  it('cause one storage request for all requests that arrive at the same time', async () => {
    let leaseRequests = 0
    const reserve = sharedReserve()
    const limiter = new RateLimiter(limits(1000, 10), silent, (query) => {
      leaseRequests++
      return reserve(query)
    })
    const responses = await Promise.all(Array.from({ length: 300 }, () => request(limiter, 'a', 'x', 0)))
    expect(responses.filter(({ admitted }) => admitted)).toHaveLength(10)
    expect(leaseRequests).toBeLessThanOrEqual(4)
    for (let i = 0; i < 100; i++) await request(limiter, 'a', 'x', 0)
    expect(leaseRequests).toBeLessThanOrEqual(4)
  })
})
