/** Where an entry stands in the change log: the log is ordered by time, then id. */
export interface LogPlace {
  /** Integer milliseconds, UTC. */
  readonly at: number
  readonly id: string
}

/** Gives entries their places. */
export interface LogOrder {
  /**
   * The place after all that were given.
   *
   * @param now when the call began, integer milliseconds, UTC.
   */
  next(now: number): LogPlace
  /** Lets the clock begin anew. Ids are still never given twice. */
  forget(): void
}

/** Digits of the counter in base 36: enough for a million entries a second for a month. */
const digits = 8

/** Random bytes that tell the entries of one engine from those of all others. */
const ownBytes = 8

/**
 * Makes the order of one engine's entries. Time never goes back in it, and entries of one millisecond are counted, so an
 * entry that was made after another stands after it whatever the clock does. Engines are told apart by chance, and their
 * entries stand by their clocks.
 *
 * @param host where the random part comes from, once there is an entry.
 */
export function logOrder(host: { randomHex(bytes: number): string }): LogOrder {
  let own: string | undefined
  let count = 0
  let latest = Number.NEGATIVE_INFINITY
  return {
    next(now) {
      own ??= host.randomHex(ownBytes)
      latest = Math.max(latest, now)
      return { at: latest, id: `${(count++).toString(36).padStart(digits, '0')}${own}` }
    },
    forget() {
      latest = Number.NEGATIVE_INFINITY
    },
  }
}
