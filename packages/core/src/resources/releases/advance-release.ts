import type { Release, ReleasePhase } from '../../models/releases/release.ts'
import type { Caller } from '../../operation/caller.ts'
import { currentPhase, type PhaseStatus } from '../../rules/release/progression.ts'

/** The caller who advances a release, and the time. */
export interface AdvanceContext {
  readonly now: number
  readonly caller: Caller
}

/** Returns a release with new statuses of its phases, and sets the times of the changes. */
export function withStatuses(release: Release, statuses: readonly PhaseStatus[], context: AdvanceContext): Release {
  const phases = release.phases.map((phase, index) => withStatus(phase, statuses[index] as PhaseStatus, context))
  const complete = currentPhase(statuses) < 0
  return { ...release, phases, ...(complete ? { completedAt: release.completedAt ?? context.now } : {}) }
}

function withStatus(phase: ReleasePhase, status: PhaseStatus, { now, caller }: AdvanceContext): ReleasePhase {
  if (phase.status === status) return phase
  const { memberId, tokenId } = caller
  const starts = (status === 'Started' || status === 'Complete') && phase.startedAt === undefined
  return {
    ...phase,
    status,
    ...(starts ? { startedAt: now } : {}),
    ...(status === 'Complete'
      ? { completedAt: now, completedBy: { ...(memberId ? { memberId } : {}), ...(tokenId ? { tokenId } : {}) } }
      : {}),
  }
}
