import type { Release, ReleasePhase } from '../../models/releases/release.ts'
import type { Caller } from '../../operation/caller.ts'
import { currentPhase, type PhaseStatus } from '../../rules/release/progression.ts'

/** The caller who advances a release, and the time. */
export interface Step {
  readonly now: number
  readonly caller: Caller
}

/** Returns a release with new statuses of its phases, and sets the times of the changes. */
export function withStatuses(release: Release, statuses: readonly PhaseStatus[], step: Step): Release {
  const phases = release.phases.map((phase, at) => withStatus(phase, statuses[at] as PhaseStatus, step))
  const complete = currentPhase(statuses) < 0
  return { ...release, phases, ...(complete ? { completedAt: release.completedAt ?? step.now } : {}) }
}

function withStatus(phase: ReleasePhase, status: PhaseStatus, { now, caller }: Step): ReleasePhase {
  if (phase.status === status) return phase
  const { memberId, tokenId } = caller
  const begins = (status === 'Started' || status === 'Complete') && phase.startedAt === undefined
  return {
    ...phase,
    status,
    ...(begins ? { startedAt: now } : {}),
    ...(status === 'Complete'
      ? { completedAt: now, completedBy: { ...(memberId ? { memberId } : {}), ...(tokenId ? { tokenId } : {}) } }
      : {}),
  }
}
