import { type FlagStatus, flagStatus, statusPeriod } from '../flag-status/flag-status.ts'

/** Known history of a flag in one environment; times in integer ms. */
export interface FlagHistory {
  readonly createdAt: number
  /**
   * Time from which the flag exists in the environment: the creation time of the flag or of the environment, whichever
   * is later.
   */
  readonly from: number
  /** Time at which it was archived; Infinity while it is not. */
  readonly to: number
  /** Configurations of the flag, ordered by their start times. Nothing is known about the time before the first. */
  readonly states: readonly ConfigState[]
  /** Time of its last evaluation; null if it was never evaluated, undefined if evaluations are not counted. */
  readonly lastRequested: number | null | undefined
  /** True if the flag is to be removed once it is launched. */
  readonly temporary: boolean
  /** Maintainer of the flag, as the name of a series. */
  readonly maintainer: string
}

/** The configuration of a flag from a moment on, until the next state. */
export interface ConfigState {
  readonly since: number
  readonly on: boolean
  /** True when every context gets the same variation while the flag is on. */
  readonly servesOne: boolean
}

/** Range of time for which statuses are computed: `from` inclusive, `to` exclusive, ms. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/**
 * Calls `visit` for each status of a flag, in order of time, from its creation in the environment until it was
 * archived.
 *
 * A status changes only when the configuration changes, and one week after certain events, so it is computed only at
 * these times.
 *
 * Only the time of the last evaluation is known: before it, the status is computed as if evaluations were not counted.
 *
 * @param visit receives each status with its start, inclusive, and its end, exclusive, ms; `unknown` if the
 *   configuration at that time was not recorded.
 */
export function eachStatus(
  history: FlagHistory,
  range: TimeRange,
  visit: (status: FlagStatus | 'unknown', from: number, to: number) => void,
): void {
  const { states } = history
  const to = Math.min(history.to, range.to)
  let stateIndex = 0
  let from = Math.max(history.from, range.from)
  const changeTimes = statusChangeTimes(history, from, to)
  for (let changeIndex = 0; from < to; changeIndex++) {
    const end = changeTimes[changeIndex] ?? to
    while (stateIndex < states.length && states[stateIndex]!.since <= from) stateIndex++
    if (from < end) visit(statusAt(history, states[stateIndex - 1], from), from, end)
    from = end
  }
}

/** Returns the times after `from` and before `to` at which the status can change, in order. */
function statusChangeTimes({ createdAt, states, lastRequested }: FlagHistory, from: number, to: number): number[] {
  const changeTimes: number[] = []
  const add = (time: number, secondTime: number) => {
    if (time > from && time < to) changeTimes.push(time)
    if (secondTime > from && secondTime < to) changeTimes.push(secondTime)
  }
  add(createdAt, createdAt + statusPeriod)
  for (const { since } of states) add(since, since + statusPeriod)
  if (typeof lastRequested === 'number') add(lastRequested, lastRequested + statusPeriod)
  return changeTimes.length > 1 ? changeTimes.sort((a, b) => a - b) : changeTimes
}

function statusAt(
  { createdAt, lastRequested }: FlagHistory,
  state: ConfigState | undefined,
  time: number,
): FlagStatus | 'unknown' {
  if (!state) return 'unknown'
  const { since: changedAt, on, servesOne } = state
  const lastKnownRequest = typeof lastRequested === 'number' && lastRequested > time ? undefined : lastRequested
  return flagStatus({ createdAt, changedAt, on, servesOne, lastRequested: lastKnownRequest }, time)
}
