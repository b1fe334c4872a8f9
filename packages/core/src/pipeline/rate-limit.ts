import { LRUCache } from 'lru-cache'
import type { RateLimit } from '../operation/engine-options.ts'
import { ApiError } from '../operation/errors.ts'

export interface RateLimiter {
  /**
   * Door 4: counts a request in its window (D13).
   *
   * @param headers receives the headers that tell the caller what is left.
   * @throws ApiError `rate_limited` when the account's or the caller's share is used up.
   */
  admit(callerId: string, operationId: string, now: number, headers: Record<string, string>): void
}

/** A limiter that counts in this process's memory, in fixed windows on the given clock. */
export function memoryRateLimiter(limit: RateLimit): RateLimiter {
  let window = Number.NEGATIVE_INFINITY
  let account = 0
  // Bounded: a flood of made-up callers must not grow it, and whoever is pushed out starts a fresh share at worst.
  const routes = new LRUCache<string, { count: number }>({ max: 10_000 })
  const policy = `"account";q=${limit.account};w=${seconds(limit.windowMs)}, "route";q=${limit.route};w=${seconds(limit.windowMs)}`

  return {
    admit(callerId, operationId, now, headers) {
      const start = now - (now % limit.windowMs)
      if (start !== window) {
        window = start
        account = 0
        routes.clear()
      }
      const place = `${callerId} ${operationId}`
      let route = routes.get(place)
      if (!route) routes.set(place, (route = { count: 0 }))
      const refused = account >= limit.account || route.count >= limit.route
      if (!refused) {
        account++
        route.count++
      }
      const reset = start + limit.windowMs
      const accountLeft = limit.account - account
      const routeLeft = limit.route - route.count
      headers['ratelimit-policy'] = policy
      headers.ratelimit = `"account";r=${accountLeft};t=${seconds(reset - now)}, "route";r=${routeLeft};t=${seconds(reset - now)}`
      headers['x-ratelimit-global-remaining'] = String(accountLeft)
      headers['x-ratelimit-route-remaining'] = String(routeLeft)
      headers['x-ratelimit-reset'] = String(reset)
      if (refused) throw new ApiError('rate_limited', { headers: { 'retry-after': String(seconds(reset - now)) } })
    },
  }
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
