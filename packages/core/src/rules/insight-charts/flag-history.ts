import { type FlagStatus, flagStatus, statusPeriod } from '../flag-status/flag-status.ts'

/** What is known of a flag in one environment over time; moments in integer ms. */
export interface FlagHistory {
  readonly createdAt: number
  /** From when on it is in the environment: when the later of both was made. */
  readonly from: number
  /** When it was archived; Infinity while it is not. */
  readonly to: number
  /** How it was configured, one state after the other, by when each began. Before the first, nothing is known. */
  readonly states: readonly ConfigState[]
  /** When it was evaluated the last time; null where it never was, undefined where nobody counts. */
  readonly lastRequested: number | null | undefined
  /** Whether it is meant to go once it is launched. */
  readonly temporary: boolean
  /** Whose it is, as a name of a series. */
  readonly maintainer: string
}

/** The configuration of a flag from a moment on, until the next state. */
export interface ConfigState {
  readonly since: number
  readonly on: boolean
  /** Whether every context gets the same variation while the flag is on. */
  readonly servesOne: boolean
}

/** Between which moments statuses are asked for: `from` inclusive, `to` exclusive, ms. */
export interface Horizon {
  readonly from: number
  readonly to: number
}

/**
 * Tells the statuses that a flag had, one after the other, from when it came into the environment until it was archived.
 *
 * A status only changes when the configuration does, and a week after something: so it is looked at there alone.
 *
 * When a flag was evaluated is known of the last time alone: before it, the status is what follows without counts.
 *
 * @param told each status with when it began, inclusive, and ended, exclusive, ms; `unknown` where nobody kept how the
 *   flag was configured then.
 */
export function eachStatus(
  history: FlagHistory,
  horizon: Horizon,
  told: (status: FlagStatus | 'unknown', from: number, to: number) => void,
): void {
  const { states } = history
  const to = Math.min(history.to, horizon.to)
  let next = 0
  let from = Math.max(history.from, horizon.from)
  const turns = turnsBetween(history, from, to)
  for (let turn = 0; from < to; turn++) {
    const end = turns[turn] ?? to
    while (next < states.length && states[next]!.since <= from) next++
    if (from < end) told(statusAt(history, states[next - 1], from), from, end)
    from = end
  }
}

/** The moments after `from` and before `to` at which the status can change, in order. */
function turnsBetween({ createdAt, states, lastRequested }: FlagHistory, from: number, to: number): number[] {
  const turns: number[] = []
  const add = (moment: number, besides: number) => {
    if (moment > from && moment < to) turns.push(moment)
    if (besides > from && besides < to) turns.push(besides)
  }
  add(createdAt, createdAt + statusPeriod)
  for (const { since } of states) add(since, since + statusPeriod)
  if (typeof lastRequested === 'number') add(lastRequested, lastRequested + statusPeriod)
  return turns.length > 1 ? turns.sort((a, b) => a - b) : turns
}

function statusAt(
  { createdAt, lastRequested }: FlagHistory,
  state: ConfigState | undefined,
  moment: number,
): FlagStatus | 'unknown' {
  if (!state) return 'unknown'
  const { since: changedAt, on, servesOne } = state
  const requested = typeof lastRequested === 'number' && lastRequested > moment ? undefined : lastRequested
  return flagStatus({ createdAt, changedAt, on, servesOne, lastRequested: requested }, moment)
}
