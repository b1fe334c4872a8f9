import type { Cohort } from './cohorts.ts'
import type { System } from './harm.ts'
import type { RuleChange } from './moves.ts'

/** What made contexts go. */
export interface Reason {
  readonly change: RuleChange | StageReason
  readonly cohort: Cohort
  /** Whether contexts come to the cohort; otherwise they leave it, or stay in it and change their stage. */
  readonly gains: boolean
}

/** What made contexts change their stage within their cohort. */
export type StageReason = 'rollout' | 'prerequisites' | 'on' | 'off'

const actions: Readonly<Record<Reason['change'], (name: string) => string>> = {
  added: (name) => `Adding ${name} moves contexts`,
  removed: (name) => `Removing ${name} moves contexts`,
  moved: (name) => `Moving ${name} moves contexts`,
  clauses: (name) => `Changing the clauses of ${name} moves contexts`,
  rollout: (name) => `Changing the rollout of ${name} takes contexts`,
  prerequisites: (name) => `Changing the prerequisites takes contexts of ${name}`,
  on: (name) => `Turning the flag on takes contexts of ${name}`,
  off: (name) => `Turning the flag off takes contexts of ${name}`,
}

const toAnotherCohort: Readonly<Record<System, string>> = {
  new: 'where they read from the new system without having been backfilled',
  old: 'where they read from the old system, which has missed what was written since they are at complete',
}

const inTheirCohort: Readonly<Record<System, string>> = {
  new: 'from off to a stage that reads from the new system, which nothing of theirs was written to',
  old: 'from complete back to a stage that reads from the old system, which has missed what was written since',
}

/** Says it in one sentence: the action, the cohorts, and what comes of it. */
export function sentence({ change, cohort, gains }: Reason, system: System, affected: readonly Cohort[]): string {
  const action = actions[change](cohort.name)
  if (affected[0]?.id === cohort.id) return `${action} ${inTheirCohort[system]}.`
  const others = named(affected)
  return `${action} ${gains ? `from ${others} into it` : `out of it to ${others}`}, ${toAnotherCohort[system]}.`
}

const mostNamed = 5

function named(cohorts: readonly Cohort[]): string {
  const names = cohorts.slice(0, mostNamed).map(({ name }) => name)
  if (cohorts.length > mostNamed) names.push(`${cohorts.length - mostNamed} more`)
  const last = names.pop() as string
  return names.length === 0 ? last : `${names.join(', ')} and ${last}`
}
