/** What a flag is to those who ask for it, seen from when it was asked for and changed. */
export const flagStatuses = ['new', 'active', 'launched', 'inactive'] as const

/** One of `flagStatuses`. */
export type FlagStatus = (typeof flagStatuses)[number]

/** What is known of a flag in one environment; moments in integer ms. */
export interface FlagActivity {
  readonly createdAt: number
  /** When its configuration was changed the last time; `createdAt` where it never was. */
  readonly changedAt: number
  readonly on: boolean
  /** Whether every context gets the same variation while the flag is on. */
  readonly servesOne: boolean
  /** When it was evaluated the last time; null where it never was, undefined where nobody counts. */
  readonly lastRequested: number | null | undefined
}

/** How long a flag is new, how long an evaluation counts, and how long a launch must have been left alone: ms. */
export const statusPeriod = 7 * 24 * 60 * 60 * 1000

/**
 * The status of a flag in one environment.
 *
 * - `new`: created less than 7 days ago and never evaluated;
 * - `inactive`: not evaluated for 7 days;
 * - `launched`: in use, on, and for 7 days the same variation for everybody;
 * - `active`: in use otherwise.
 *
 * Where nobody counts evaluations, a flag that is on, or was changed within 7 days, is taken to be in use, and one that
 * was never changed to be not in use yet.
 *
 * @param now integer ms.
 */
export function flagStatus(activity: FlagActivity, now: number): FlagStatus {
  const lately = (moment: number) => now - moment < statusPeriod
  const { createdAt, changedAt, on, servesOne } = activity
  if (!everUsed(activity) && lately(createdAt)) return 'new'
  if (!inUse(activity, lately)) return 'inactive'
  return on && servesOne && !lately(changedAt) ? 'launched' : 'active'
}

function everUsed({ lastRequested, on, createdAt, changedAt }: FlagActivity): boolean {
  return lastRequested === undefined ? on || changedAt > createdAt : lastRequested !== null
}

function inUse({ lastRequested, on, changedAt }: FlagActivity, lately: (moment: number) => boolean): boolean {
  if (lastRequested === undefined) return on || lately(changedAt)
  return lastRequested !== null && lately(lastRequested)
}
