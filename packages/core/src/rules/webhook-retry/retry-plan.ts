const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/**
 * Delays after the first failed attempt, the second, and so on, in ms
 * (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks). After the last attempt the message is
 * discarded.
 */
export const retryDelays: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** Maximum delay that a receiver can request, in ms. */
export const maxRetryAfter = 24 * hour

/** Time in ms after which a webhook is turned off if all its attempts have failed. */
export const maxFailingTime = 72 * hour

export interface FailedAttempt {
  /** Number of the attempt that failed, starting with 1. */
  readonly attempt: number
  /** Integer ms, UTC. */
  readonly now: number
  /**
   * Random number, at least 0 and less than 1. It distributes the next attempts of messages that failed together over a
   * tenth of the delay.
   */
  readonly chance: number
  /** Earliest time that the receiver requests, if any; integer ms, UTC. */
  readonly notBefore?: number
}

/**
 * Returns the time of the next attempt after a failed one
 * (docs/decisions/0004-deliver-one-signed-message-per-change.md#d32-webhooks).
 *
 * @returns integer ms, UTC; undefined if there is no further attempt.
 */
export function nextAttemptAt({ attempt, now, chance, notBefore = 0 }: FailedAttempt): number | undefined {
  const delay = retryDelays[attempt - 1]
  return delay === undefined ? undefined : Math.max(now + delay + Math.floor((delay / 10) * chance), notBefore)
}

/**
 * Parses the header `Retry-After`: seconds, or an HTTP date.
 *
 * @param now integer ms, UTC.
 * @returns integer ms, UTC, at most a day after `now`; undefined if the header is invalid or in the past.
 */
export function retryAfterAt(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const time = /^\d{1,10}$/.test(text)
    ? now + Number(text) * second
    : /^[A-Z][a-z]{2,8},? /.test(text)
      ? Date.parse(text)
      : Number.NaN
  return time > now ? Math.min(time, now + maxRetryAfter) : undefined
}
