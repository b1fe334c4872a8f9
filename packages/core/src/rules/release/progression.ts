/** Where a phase of a release stands. */
export const phaseStatuses = ['NotStarted', 'ReadyToStart', 'Started', 'Paused', 'Complete'] as const

/** One of `phaseStatuses`. */
export type PhaseStatus = (typeof phaseStatuses)[number]

/** The new statuses of the phases, or why a phase cannot be taken there. */
export type Advance =
  | { readonly ok: true; readonly statuses: readonly PhaseStatus[] }
  /** `reason` follows the name of what is wrong, e.g. `must be …`. */
  | { readonly ok: false; readonly reason: string }

/** Where a caller may take a phase from where it stands; the rest follows. */
const ways: Readonly<Record<PhaseStatus, readonly PhaseStatus[]>> = {
  NotStarted: [],
  ReadyToStart: ['Started'],
  Started: ['Paused', 'Complete'],
  Paused: ['Started'],
  Complete: [],
}

/** The statuses with which a release begins: its first phase can be started, the others wait. */
export function initialStatuses(count: number): PhaseStatus[] {
  return Array.from({ length: count }, (_, at) => (at === 0 ? 'ReadyToStart' : 'NotStarted'))
}

/**
 * Takes one phase of a release further. Phases run in order: each can be started once the one before it is complete.
 *
 * @param statuses of all phases, in order, as {@link initialStatuses} and this function make them.
 * @param index of the phase.
 * @param status where it is to stand; where it stands already, nothing changes.
 * @returns the statuses of all phases, or why the phase cannot come there.
 */
export function advancePhase(statuses: readonly PhaseStatus[], index: number, status: PhaseStatus): Advance {
  const from = statuses[index] as PhaseStatus
  if (from === status) return { ok: true, statuses }
  if (!ways[from].includes(status)) return { ok: false, reason: refusal(from, status) }
  const opens = status === 'Complete' ? index + 1 : -1
  return {
    ok: true,
    statuses: statuses.map((one, at) => (at === index ? status : at === opens ? 'ReadyToStart' : one)),
  }
}

/**
 * Completes one phase of a release, which has then been started as well.
 *
 * @param statuses of all phases, in order.
 * @param index of the phase.
 */
export function completePhase(statuses: readonly PhaseStatus[], index: number): Advance {
  const started = statuses[index] === 'Complete' ? undefined : advancePhase(statuses, index, 'Started')
  return started?.ok === false ? started : advancePhase(started?.statuses ?? statuses, index, 'Complete')
}

function refusal(from: PhaseStatus, status: PhaseStatus): string {
  if (from === 'NotStarted') return 'must wait until the phases before it are complete'
  if (from === 'Complete') return 'must stay Complete: a phase is completed once and for all'
  return `must be ${ways[from].join(' or ')}, not ${status}, after ${from}`
}

/** Index of the phase that is under way or comes next; -1 once all are complete. */
export function currentPhase(statuses: readonly PhaseStatus[]): number {
  return statuses.findIndex((status) => status !== 'Complete')
}
