/** Statuses of a phase of a release. */
export const phaseStatuses = ['NotStarted', 'ReadyToStart', 'Started', 'Paused', 'Complete'] as const

/** Status of a phase: one of `phaseStatuses`. */
export type PhaseStatus = (typeof phaseStatuses)[number]

/** New statuses of the phases, or the reason why a transition is not allowed. */
export type AdvanceResult =
  | { readonly ok: true; readonly statuses: readonly PhaseStatus[] }
  /** `reason` follows the name of the invalid property, e.g. `must be …`. */
  | { readonly ok: false; readonly reason: string }

/** Transitions that a caller may request; the others happen automatically. */
const transitions: Readonly<Record<PhaseStatus, readonly PhaseStatus[]>> = {
  NotStarted: [],
  ReadyToStart: ['Started'],
  Started: ['Paused', 'Complete'],
  Paused: ['Started'],
  Complete: [],
}

/** Returns the initial statuses of a release: its first phase can be started, the others wait. */
export function initialStatuses(count: number): PhaseStatus[] {
  return Array.from({ length: count }, (_, phaseIndex) => (phaseIndex === 0 ? 'ReadyToStart' : 'NotStarted'))
}

/**
 * Changes the status of one phase of a release. Phases run in order: each can start after the previous phase is
 * complete.
 *
 * @param statuses statuses of all phases, in order, as {@link initialStatuses} and this function return them.
 * @param index index of the phase.
 * @param status new status; if the phase already has it, nothing changes.
 * @returns the statuses of all phases, or the reason why the transition is not allowed.
 */
export function advancePhase(statuses: readonly PhaseStatus[], index: number, status: PhaseStatus): AdvanceResult {
  const from = statuses[index] as PhaseStatus
  if (from === status) return { ok: true, statuses }
  if (!transitions[from].includes(status)) return { ok: false, reason: transitionError(from, status) }
  const nextIndex = status === 'Complete' ? index + 1 : -1
  return {
    ok: true,
    statuses: statuses.map((current, phaseIndex) =>
      phaseIndex === index ? status : phaseIndex === nextIndex ? 'ReadyToStart' : current,
    ),
  }
}

/**
 * Completes one phase of a release. A phase that has not started is started first.
 *
 * @param statuses statuses of all phases, in order.
 * @param index index of the phase.
 */
export function completePhase(statuses: readonly PhaseStatus[], index: number): AdvanceResult {
  const started = statuses[index] === 'Complete' ? undefined : advancePhase(statuses, index, 'Started')
  return started?.ok === false ? started : advancePhase(started?.statuses ?? statuses, index, 'Complete')
}

function transitionError(from: PhaseStatus, status: PhaseStatus): string {
  if (from === 'NotStarted') return 'must wait until the phases before it are complete'
  if (from === 'Complete') return 'must stay Complete: a completed phase cannot be changed'
  return `must be ${transitions[from].join(' or ')}, not ${status}, after ${from}`
}

/** Returns the index of the current or next phase; -1 if all are complete. */
export function currentPhase(statuses: readonly PhaseStatus[]): number {
  return statuses.findIndex((status) => status !== 'Complete')
}
