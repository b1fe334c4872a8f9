import { LRUCache } from 'lru-cache'
import { anonymousCaller } from '../operation/anonymous-caller.ts'
import type { Host } from '../operation/context.ts'
import type { RateLimit } from '../operation/engine-options.ts'
import { ApiError } from '../operation/errors.ts'
import type { AccountStorage } from '../storage/port.ts'
import type { AuthenticatedCall, ReceivedRequest } from './call-state.ts'

/**
 * Stage 3: counts the request, and adds the headers that report the remaining quota
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d13-rate-limit). Synchronous unless another lease has to
 * be requested from the storage. An operation without a caller is not counted, like a request with an unknown token, so
 * that it cannot use up the quota of the account.
 *
 * @throws ApiError `rate_limited` when the quota of the account or the caller is used up.
 */
export function limitRate<C extends ReceivedRequest & AuthenticatedCall>(
  { limiter }: { readonly limiter: RateLimiter | undefined },
  call: C,
): C | Promise<C> {
  if (call.caller === anonymousCaller) return call
  return limiter?.admit(call.caller.id, call.operation.id, call.now, call.headers)?.then(() => call) ?? call
}

/** Reserves a part of a quota that processes share. */
export type ReserveLease = NonNullable<AccountStorage['reserve']>

type Headers = Record<string, string>

interface CountedWindow extends Window {
  readonly account: QuotaLease
  readonly routes: LRUCache<string, QuotaLease>
}

/**
 * Limits requests in fixed windows.
 *
 * With `reserve` the limits apply to all processes together: each process leases parts of a quota and counts within
 * them. The storage then receives a few dozen requests per window, however many requests the engine receives. Without
 * `reserve`, each process counts on its own. A process also counts on its own for the rest of a window when the storage
 * does not respond.
 */
export class RateLimiter {
  readonly #limit: RateLimit
  readonly #host: Pick<Host, 'log'>
  readonly #reserve: ReserveLease | undefined
  readonly #policy: string
  #current: CountedWindow

  constructor(limit: RateLimit, host: Pick<Host, 'log'>, reserve?: ReserveLease) {
    this.#limit = limit
    this.#host = host
    this.#reserve = reserve
    const seconds = wholeSeconds(limit.windowMs)
    this.#policy = `"account";q=${limit.account};w=${seconds}, "route";q=${limit.route};w=${seconds}`
    this.#current = this.#openWindow(Number.NEGATIVE_INFINITY)
  }

  /**
   * Counts a request.
   *
   * @param now integer ms, UTC.
   * @param headers receives the headers of the response.
   * @returns a promise when a lease has to be requested from the storage first.
   * @throws ApiError `rate_limited`.
   */
  admit(callerId: string, operationId: string, now: number, headers: Headers): Promise<void> | undefined {
    const start = now - (now % this.#limit.windowMs)
    if (start !== this.#current.start) this.#current = this.#openWindow(start)
    const route = this.#routeOf(this.#current, `${callerId} ${operationId}`)
    return this.#count(this.#current, route, now, headers)
  }

  #openWindow(start: number): CountedWindow {
    const onFailure = (error: unknown) => this.#host.log({ level: 'warn', event: 'rate-limit-not-shared', error })
    const window: Window = { start, reset: start + this.#limit.windowMs, reserve: this.#reserve, onFailure }
    // The number of entries is limited, so that many callers do not use up the memory. At worst, a caller whose entry
    // is evicted gets a new quota; when processes share the limits, not even that. The limit is a size, because with
    // `max` the cache would allocate its full capacity in advance.
    const routes = new LRUCache<string, QuotaLease>({ maxSize: 10_000, sizeCalculation: () => 1 })
    return Object.assign(window, { account: new QuotaLease(window, 'account', this.#limit.account), routes })
  }

  #routeOf(window: CountedWindow, key: string): QuotaLease {
    let route = window.routes.get(key)
    if (!route) window.routes.set(key, (route = new QuotaLease(window, key, this.#limit.route)))
    return route
  }

  #count(window: CountedWindow, route: QuotaLease, now: number, headers: Headers): Promise<void> | undefined {
    const { account } = window
    const isRefused = account.isUsedUp() || route.isUsedUp()
    if (!isRefused) {
      if (account.isEmpty() || route.isEmpty()) return this.#countLater(window, route, now, headers)
      account.takeOne()
      route.takeOne()
    }
    const remainingSeconds = String(wholeSeconds(window.reset - now))
    this.#setHeaders(headers, window, route, remainingSeconds)
    if (isRefused) throw new ApiError('rate_limited', { headers: { 'retry-after': remainingSeconds } })
    return undefined
  }

  async #countLater(window: CountedWindow, route: QuotaLease, now: number, headers: Headers): Promise<void> {
    const empty = [window.account, route].filter((lease) => lease.isEmpty())
    await Promise.all(empty.map((lease) => lease.waitForMore()))
    return this.#count(window, route, now, headers)
  }

  #setHeaders(headers: Headers, { account, reset }: CountedWindow, route: QuotaLease, seconds: string): void {
    headers['ratelimit-policy'] = this.#policy
    headers.ratelimit = `"account";r=${account.remaining};t=${seconds}, "route";r=${route.remaining};t=${seconds}`
    headers['x-ratelimit-global-remaining'] = String(account.remaining)
    headers['x-ratelimit-route-remaining'] = String(route.remaining)
    headers['x-ratelimit-reset'] = String(reset)
  }
}

function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000))
}

/** Values that the leases of one window have in common. */
interface Window {
  /** Integer ms, UTC. */
  readonly start: number
  /** When the next window starts: integer ms, UTC. */
  readonly reset: number
  /** Source of leases; undefined when this process counts on its own. */
  reserve: ReserveLease | undefined
  /** Receives the error that makes this process count on its own from now on. */
  onFailure(error: unknown): void
}

/** Number of leases into which a quota is divided: an idle process blocks at most one. */
const leasesPerQuota = 20

/** The part of a quota that this process may use in one window, and the last known remainder for all processes. */
class QuotaLease {
  readonly #window: Window
  readonly #key: string
  readonly #limit: number
  /** Requests that were counted in this process. */
  #used = 0
  /** Number of requests that this process may still count. */
  #available: number
  /** Number of requests that no process had leased when the storage last responded. */
  #unleased: number
  /** When less than this is available, the next lease is requested in advance. */
  #refillBelow = 0
  /** Number of requests that wait for a further lease. */
  #waiting = 0
  #request: Promise<void> | undefined

  constructor(window: Window, key: string, limit: number) {
    this.#window = window
    this.#key = key
    this.#limit = limit
    this.#available = window.reserve ? 0 : limit
    this.#unleased = limit - this.#available
  }

  /** Remaining quota of all processes together, by the last response of the storage to this process. */
  get remaining(): number {
    return this.#available + this.#unleased
  }

  isEmpty(): boolean {
    return this.#available === 0
  }

  /** Returns true when no process has any quota left. */
  isUsedUp(): boolean {
    return this.#available === 0 && this.#unleased === 0
  }

  takeOne(): void {
    this.#used++
    this.#available--
    if (this.#available >= this.#refillBelow || this.#unleased === 0) return
    // No request waits for this lease, so an error that the log of the host throws is ignored.
    void this.#refill().catch(() => {})
  }

  /** Resolves when more quota is available, or when no quota remains. */
  async waitForMore(): Promise<void> {
    this.#waiting++
    try {
      await this.#refill()
    } finally {
      this.#waiting--
    }
  }

  /**
   * Requests more quota from the storage, with one request at a time: calls that arrive during a request wait for its
   * response.
   */
  #refill(): Promise<void> {
    this.#request ??= this.#fetchMore().finally(() => (this.#request = undefined))
    return this.#request
  }

  async #fetchMore(): Promise<void> {
    // Yields once, so that all requests that arrive in the same turn are counted as waiting.
    await undefined
    const { reserve, start, reset } = this.#window
    if (!reserve) return this.#countAlone()
    // Leases become smaller towards the end of the quota, so that no process leases quota that another process could
    // use.
    const size = Math.min(Math.ceil(this.#limit / leasesPerQuota), Math.floor(this.#unleased / 2))
    const requested = Math.max(size, this.#waiting, 1)
    try {
      const lease = await reserve({ key: this.#key, window: start, until: reset, limit: this.#limit, requested })
      this.#available += lease.granted
      this.#unleased = lease.granted > 0 ? lease.remaining : 0
      this.#refillBelow = Math.floor(lease.granted / 4)
    } catch (error) {
      // A failing storage must not stop the service through its rate limits.
      this.#countAlone()
      this.#stopSharing(error)
    }
  }

  /** Reports one error per window, however many leases fail. */
  #stopSharing(error: unknown): void {
    if (!this.#window.reserve) return
    this.#window.reserve = undefined
    this.#window.onFailure(error)
  }

  #countAlone(): void {
    this.#available = this.#limit - this.#used
    this.#unleased = 0
    this.#refillBelow = 0
  }
}
