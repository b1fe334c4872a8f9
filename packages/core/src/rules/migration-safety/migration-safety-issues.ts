import { type Cohort, cohortsOf, type MigrationTargeting } from './cohorts.ts'
import { harmFinder, type System } from './harm.ts'
import { issueSentence, type Reason, type StageReason } from './issue-sentence.ts'
import { type Move, movesBetween } from './moves.ts'
import { sameShares } from './shares.ts'
import type { StageCount } from './stages.ts'

/**
 * A change of targeting that may damage the data of one of the two systems
 * (docs/specification.md#migration-safety-issue).
 */
export interface MigrationSafetyIssue {
  /** Id of the rule that caused contexts to move, or whose contexts change their stage. */
  readonly causingRuleId: string
  /** Ids of the cohorts that contexts come from or go to; `fallthrough` is the default rule. */
  readonly affectedRuleIds: readonly string[]
  /** One sentence: action, cohort, consequence. */
  readonly issue: string
  /** True if stale data are read from the old system; false if data are missing in the new system. */
  readonly oldSystemAffected: boolean
}

/**
 * Finds changes of a migration flag's targeting in one environment that can corrupt or lose data
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d23-migration-safety): contexts start to read from the new
 * system before it has their data, or contexts read from the old system again although it no longer receives their
 * data.
 *
 * The result contains every such move that can happen, and some that cannot: two clauses are compared only when they
 * test the same attribute (docs/decisions/0025-detect-unsafe-migration-changes-by-cohort.md). The work grows with the
 * product of the numbers of rules: a million pairs take a second or two.
 *
 * @param stageCount number of stages of the migration. Only six stages have a backfill, so with fewer only the old
 *   system is checked.
 * @param before the targeting before the change, with ids of rules that are unique and not `fallthrough`, and weights
 *   that total 100 percent, like `after`.
 * @returns one issue for each rule that causes some, for each system and each direction; empty when nothing can happen.
 */
export function migrationSafetyIssues(
  stageCount: StageCount,
  before: MigrationTargeting,
  after: MigrationTargeting,
): MigrationSafetyIssue[] {
  const isToggled = before.on !== after.on
  const cohortsBefore = cohortsOf(stageCount, before, {
    off: isToggled && !before.on,
    maybeOff: hasExtraPrerequisite(before, after),
  })
  const cohortsAfter = cohortsOf(stageCount, after, {
    off: isToggled && !after.on,
    maybeOff: hasExtraPrerequisite(after, before),
  })
  const harms = harmFinder(stageCount)
  const findings = new Map<string, Finding>()
  for (const move of movesBetween(cohortsBefore, cohortsAfter, (from, to) => harms(from, to).length > 0)) {
    const toggledTo = isToggled ? (after.on ? 'on' : 'off') : undefined
    const reason = move.cause
      ? { ...move.cause, gains: move.cause.cohort.id === move.to.id }
      : stageReason(move, toggledTo)
    for (const system of harms(move.from, move.to))
      addFinding(findings, reason, system, reason.gains ? move.from : move.to)
  }
  return [...findings.values()].map(issueOf)
}

/** Returns true if a targeting has a prerequisite that the other targeting does not have. */
function hasExtraPrerequisite(
  targeting: MigrationTargeting,
  { prerequisites: others = [] }: MigrationTargeting,
): boolean {
  const isInOthers = (prerequisite: { readonly key: string; readonly variation: number }) =>
    others.some(({ key, variation }) => key === prerequisite.key && variation === prerequisite.variation)
  return (targeting.prerequisites ?? []).some((prerequisite) => !isInOthers(prerequisite))
}

/** Returns the reason why contexts that stayed in their cohort are at another stage. */
function stageReason({ from, to }: Move, toggledTo: 'on' | 'off' | undefined): Reason {
  const change: StageReason = toggledTo ?? (sameShares(from.shares, to.shares) ? 'prerequisites' : 'rollout')
  return { change, cohort: to, gains: false }
}

/** An issue to which more affected cohorts can be added. */
interface Finding {
  readonly reason: Reason
  readonly system: System
  readonly affected: Cohort[]
}

function addFinding(findings: Map<string, Finding>, reason: Reason, system: System, affected: Cohort): void {
  const key = `${system} ${reason.change} ${reason.gains} ${reason.cohort.id}`
  const existing = findings.get(key)
  if (existing) existing.affected.push(affected)
  else findings.set(key, { reason, system, affected: [affected] })
}

function issueOf({ reason, system, affected }: Finding): MigrationSafetyIssue {
  return {
    causingRuleId: reason.cohort.id,
    affectedRuleIds: affected.map(({ id }) => id),
    issue: issueSentence(reason, system, affected),
    oldSystemAffected: system === 'old',
  }
}
