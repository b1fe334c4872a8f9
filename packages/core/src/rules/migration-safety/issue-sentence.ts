import type { Cohort } from './cohorts.ts'
import type { System } from './harm.ts'
import type { RuleChange } from './moves.ts'

/** Cause of a move of contexts. */
export interface Reason {
  readonly change: RuleChange | StageReason
  readonly cohort: Cohort
  /**
   * True if contexts move into the cohort; false if contexts leave the cohort, or stay in it and change their stage.
   */
  readonly gains: boolean
}

/** Cause of a change of the stage within a cohort. */
export type StageReason = 'rollout' | 'prerequisites' | 'on' | 'off'

const actions: Readonly<Record<Reason['change'], (name: string) => string>> = {
  added: (name) => `Adding ${name} moves contexts`,
  removed: (name) => `Removing ${name} moves contexts`,
  moved: (name) => `Moving ${name} moves contexts`,
  clauses: (name) => `Changing the clauses of ${name} moves contexts`,
  rollout: (name) => `Changing the rollout of ${name} moves contexts`,
  prerequisites: (name) => `Changing the prerequisites moves contexts of ${name}`,
  on: (name) => `Turning the flag on moves contexts of ${name}`,
  off: (name) => `Turning the flag off moves contexts of ${name}`,
}

const toAnotherCohort: Readonly<Record<System, string>> = {
  new: 'where they read from the new system without having been backfilled',
  old: 'where they read from the old system, which has missed all writes since they reached complete',
}

const inTheirCohort: Readonly<Record<System, string>> = {
  new: 'from off to a stage that reads from the new system, to which their data were never written',
  old: 'from complete back to a stage that reads from the old system, which has missed all writes since then',
}

/** Describes an issue in one sentence: the action, the cohorts, and the consequence. */
export function issueSentence({ change, cohort, gains }: Reason, system: System, affected: readonly Cohort[]): string {
  const action = actions[change](cohort.name)
  if (affected[0]?.id === cohort.id) return `${action} ${inTheirCohort[system]}.`
  const others = listNames(affected)
  return `${action} ${gains ? `from ${others} into it` : `out of it to ${others}`}, ${toAnotherCohort[system]}.`
}

const maxListedCohorts = 5

function listNames(cohorts: readonly Cohort[]): string {
  const names = cohorts.slice(0, maxListedCohorts).map(({ name }) => name)
  if (cohorts.length > maxListedCohorts) names.push(`${cohorts.length - maxListedCohorts} more`)
  const last = names.pop() as string
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`
}
