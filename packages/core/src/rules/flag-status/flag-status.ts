/** Statuses of a flag, derived from its evaluations and changes. */
export const flagStatuses = ['new', 'active', 'launched', 'inactive'] as const

/** Status of a flag: one of `flagStatuses`. */
export type FlagStatus = (typeof flagStatuses)[number]

/** Known activity of a flag in one environment; times in integer ms. */
export interface FlagActivity {
  readonly createdAt: number
  /** Time of the last change of its configuration; `createdAt` if it never changed. */
  readonly changedAt: number
  readonly on: boolean
  /** True when every context gets the same variation while the flag is on. */
  readonly servesOne: boolean
  /** Time of its last evaluation; null if it was never evaluated, undefined if evaluations are not counted. */
  readonly lastRequested: number | null | undefined
}

/**
 * Period in ms for which a flag counts as new, for which an evaluation counts as recent, and for which a flag must be
 * unchanged to count as launched.
 */
export const statusPeriod = 7 * 24 * 60 * 60 * 1000

/**
 * Returns the status of a flag in one environment.
 *
 * - `new`: created less than 7 days ago and never evaluated;
 * - `inactive`: not evaluated for 7 days;
 * - `launched`: in use and on, and all contexts have got the same variation for 7 days;
 * - `active`: in use otherwise.
 *
 * If evaluations are not counted, a flag that is on, or was changed within 7 days, counts as in use, and a flag that is
 * off and was never changed counts as never used.
 *
 * @param now integer ms.
 */
export function flagStatus(activity: FlagActivity, now: number): FlagStatus {
  const isRecent = (time: number) => now - time < statusPeriod
  const { createdAt, changedAt, on, servesOne } = activity
  if (!wasEverUsed(activity) && isRecent(createdAt)) return 'new'
  if (!isInUse(activity, isRecent)) return 'inactive'
  return on && servesOne && !isRecent(changedAt) ? 'launched' : 'active'
}

/**
 * Returns the first time after `now` at which a flag may get another status although its activity does not change;
 * undefined when its status stays the same.
 *
 * @param now integer ms.
 */
export function nextStatusChange(
  { createdAt, changedAt, lastRequested }: FlagActivity,
  now: number,
): number | undefined {
  const times = [createdAt, changedAt, lastRequested ?? Number.NEGATIVE_INFINITY]
  const next = Math.min(...times.map((time) => time + statusPeriod).filter((time) => time > now))
  return next === Number.POSITIVE_INFINITY ? undefined : next
}

function wasEverUsed({ lastRequested, on, createdAt, changedAt }: FlagActivity): boolean {
  return lastRequested === undefined ? on || changedAt > createdAt : lastRequested !== null
}

function isInUse({ lastRequested, on, changedAt }: FlagActivity, isRecent: (time: number) => boolean): boolean {
  if (lastRequested === undefined) return on || isRecent(changedAt)
  return lastRequested !== null && isRecent(lastRequested)
}
