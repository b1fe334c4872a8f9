import { LRUCache } from 'lru-cache'
import type { Host } from '../operation/context.ts'
import type { RateLimit } from '../operation/engine-options.ts'
import { ApiError } from '../operation/errors.ts'
import {
  isSpent,
  leftOf,
  newPortion,
  type Portion,
  type Reserve,
  takeOne,
  type Window,
  waitForMore,
} from './portion.ts'

export interface RateLimiter {
  /**
   * Door 4: counts a request in its window (D13). Most often that is done at once; a promise comes back where storage
   * has to be asked first.
   *
   * @param headers receives the headers that tell the caller what is left.
   * @throws ApiError `rate_limited` when the account's or the caller's share is used up.
   */
  admit(callerId: string, operationId: string, now: number, headers: Record<string, string>): void | Promise<void>
}

interface CountedWindow extends Window {
  readonly account: Portion
  readonly routes: LRUCache<string, Portion>
}

/**
 * A limiter in fixed windows on the given clock. With `reserve` the limits hold for all processes together: each takes
 * portions of a quantity and counts within them, so that storage is asked a few dozen times per window however many
 * requests come. Without, or for the rest of a window in which storage does not answer, it counts by itself.
 */
export function rateLimiter(limit: RateLimit, host: Pick<Host, 'log'>, reserve?: Reserve): RateLimiter {
  let current = openWindow(Number.NEGATIVE_INFINITY)
  const policy = `"account";q=${limit.account};w=${seconds(limit.windowMs)}, "route";q=${limit.route};w=${seconds(limit.windowMs)}`
  const failed = (error: unknown) => host.log({ level: 'warn', event: 'rate-limit-not-shared', error })

  function openWindow(start: number): CountedWindow {
    const window: Window = { start, reset: start + limit.windowMs, reserve }
    // Bounded: many callers must not grow it. Whoever is pushed out starts a fresh share at worst, and where processes
    // share not even that. By size, as with `max` all room is taken at once.
    const routes = new LRUCache<string, Portion>({ maxSize: 10_000, sizeCalculation: () => 1 })
    return Object.assign(window, { account: newPortion(window, 'account', limit.account), routes })
  }

  function routeOf(window: CountedWindow, key: string): Portion {
    const known = window.routes.get(key)
    if (known) return known
    const route = newPortion(window, key, limit.route)
    window.routes.set(key, route)
    return route
  }

  function count(window: CountedWindow, route: Portion, now: number, headers: Headers): void | Promise<void> {
    const { account } = window
    const refused = isSpent(account) || isSpent(route)
    if (!refused) {
      if (account.inHand === 0 || route.inHand === 0) return countLater(window, route, now, headers)
      takeOne(window, account, failed)
      takeOne(window, route, failed)
    }
    tell(window, route, now, headers)
    if (refused) throw new ApiError('rate_limited', { headers: { 'retry-after': left(window, now) } })
  }

  async function countLater(window: CountedWindow, route: Portion, now: number, headers: Headers): Promise<void> {
    const empty = [window.account, route].filter(({ inHand }) => inHand === 0)
    await Promise.all(empty.map((portion) => waitForMore(window, portion, failed)))
    return count(window, route, now, headers)
  }

  function tell(window: CountedWindow, route: Portion, now: number, headers: Headers): void {
    const accountLeft = leftOf(window.account)
    const routeLeft = leftOf(route)
    const t = left(window, now)
    headers['ratelimit-policy'] = policy
    headers.ratelimit = `"account";r=${accountLeft};t=${t}, "route";r=${routeLeft};t=${t}`
    headers['x-ratelimit-global-remaining'] = String(accountLeft)
    headers['x-ratelimit-route-remaining'] = String(routeLeft)
    headers['x-ratelimit-reset'] = String(window.reset)
  }

  return {
    admit(callerId, operationId, now, headers) {
      const start = now - (now % limit.windowMs)
      if (start !== current.start) current = openWindow(start)
      return count(current, routeOf(current, `${callerId} ${operationId}`), now, headers)
    },
  }
}

type Headers = Record<string, string>

/** Whole seconds until a window ends. */
function left({ reset }: Window, now: number): string {
  return String(seconds(reset - now))
}

function seconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}
