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

export interface ConfigState {
  readonly since: number
  readonly on: boolean
  /** Whether every context gets the same variation while the flag is on. */
  readonly servesOne: boolean
}

/** A flag has no other status between two moments. */
export interface StatusStretch {
  /** Inclusive, ms. */
  readonly from: number
  /** Exclusive, ms. */
  readonly to: number
  /** Unknown where nobody kept how the flag was configured then. */
  readonly status: FlagStatus | 'unknown'
}

/**
 * The statuses that a flag had, one after the other, from when it came into the environment until it was archived.
 *
 * A status only changes when the configuration does, and a week after something: so it is looked at there alone.
 *
 * When a flag was evaluated is known of the last time alone: before it, the status is what follows without counts.
 */
export function statusStretches(history: FlagHistory): StatusStretch[] {
  const { from, to, states } = history
  const turns = turnsOf(history).filter((at) => at > from && at < to)
  const starts = from < to ? [from, ...turns.sort((a, b) => a - b)] : []
  const stretches: StatusStretch[] = []
  let next = 0
  for (const [i, start] of starts.entries()) {
    const end = starts[i + 1] ?? to
    if (start === end) continue
    while (next < states.length && states[next]!.since <= start) next++
    stretches.push({ from: start, to: end, status: statusAt(history, states[next - 1], start) })
  }
  return stretches
}

function turnsOf({ createdAt, states, lastRequested }: FlagHistory): number[] {
  const turns = [createdAt + statusPeriod]
  for (const { since } of states) turns.push(since, since + statusPeriod)
  if (typeof lastRequested === 'number') turns.push(lastRequested, lastRequested + statusPeriod)
  return turns
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
