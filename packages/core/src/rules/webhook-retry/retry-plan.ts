const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** How long to wait after the first failed attempt, the second, and so on, ms (D32). After the last one it is given up. */
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

/** A receiver is not waited for longer than this, whatever it says, ms. */
export const longestRetryAfter = 24 * hour

/** Failures alone for so long turn a webhook off, ms. */
export const longestFailing = 72 * hour

export interface FailedAttempt {
  /** 1 for the first. */
  readonly attempt: number
  /** Integer ms, UTC. */
  readonly now: number
  /** At least 0, less than 1: spreads attempts that failed together over a tenth of the delay. */
  readonly chance: number
  /** Not before this time, where the receiver says so; integer ms, UTC. */
  readonly notBefore?: number
}

/**
 * When a message is sent again after a failed attempt (D32).
 *
 * @returns integer ms, UTC; undefined when it is given up.
 */
export function nextAttemptAt({ attempt, now, chance, notBefore = 0 }: FailedAttempt): number | undefined {
  const delay = retryDelays[attempt - 1]
  return delay === undefined ? undefined : Math.max(now + delay + Math.floor((delay / 10) * chance), notBefore)
}

/**
 * Reads the header `Retry-After`: seconds, or a date of HTTP.
 *
 * @param now integer ms, UTC.
 * @returns integer ms, UTC, a day after `now` at most; undefined for what is neither, or past.
 */
export function retryAfterAt(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const at = /^\d{1,10}$/.test(text)
    ? now + Number(text) * second
    : /^[A-Z][a-z]{2,8},? /.test(text)
      ? Date.parse(text)
      : Number.NaN
  return at > now ? Math.min(at, now + longestRetryAfter) : undefined
}
