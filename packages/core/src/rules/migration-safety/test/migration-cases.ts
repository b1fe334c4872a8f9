import { expect } from 'vitest'
import type { Clause } from '../../targeting/clause.ts'
import { wholeWeight } from '../../targeting/serve.ts'
import type { MigrationRule, MigrationTargeting } from '../cohorts.ts'
import { migrationSafetyIssues } from '../migration-safety-issues.ts'
import { type MigrationStage, migrationStages, type StageCount } from '../stages.ts'

export type Shares = Partial<Record<MigrationStage, number>>

/** Returns a rollout with weights in percent, in the order of the stages. */
export function rollout(
  count: StageCount,
  shares: Shares,
  overrides: { contextKind?: string; bucketBy?: string } = {},
) {
  const variations = migrationStages[count].map((stage, variation) => ({
    variation,
    weight: ((shares[stage] ?? 0) * wholeWeight) / 100,
  }))
  return { rollout: { variations, contextKind: 'org', ...overrides } }
}

export const keyClause = (values: Clause['values'], overrides: Partial<Clause> = {}): Clause => ({
  _id: 'c',
  contextKind: 'org',
  attribute: 'key',
  op: 'in',
  values,
  negate: false,
  ...overrides,
})

export const all = (stage: MigrationStage): Shares => ({ [stage]: 100 })

/** A rule in short form: its id, the keys that it lists or its clauses, and the stages that it serves. */
export type RuleText = readonly [
  id: string,
  what: readonly string[] | readonly Clause[],
  shares: Shares | MigrationStage,
]

export function targeting(
  count: StageCount,
  rules: readonly RuleText[],
  fallthrough: Shares | MigrationStage,
  overrides: Partial<MigrationTargeting> = {},
): MigrationTargeting {
  const serve = (shares: Shares | MigrationStage) => rollout(count, typeof shares === 'string' ? all(shares) : shares)
  return {
    on: true,
    rules: rules.map(([_id, target, shares]): MigrationRule => ({ _id, clauses: clausesOf(target), ...serve(shares) })),
    fallthrough: serve(fallthrough),
    ...overrides,
  }
}

function clausesOf(target: readonly string[] | readonly Clause[]): readonly Clause[] {
  return typeof target[0] === 'string' ? [keyClause(target as readonly string[])] : (target as readonly Clause[])
}

/** Returns issues in short form: `cause: affected, affected` and the system whose data are harmed. */
export const shortIssues = (count: StageCount, before: MigrationTargeting, after: MigrationTargeting) =>
  migrationSafetyIssues(count, before, after).map(
    ({ causingRuleId, affectedRuleIds, oldSystemAffected }) =>
      `${causingRuleId}: ${affectedRuleIds.join(', ')} ${oldSystemAffected ? 'old' : 'new'}`,
  )

export interface Case {
  readonly title: string
  readonly stages?: StageCount
  readonly before: readonly [readonly RuleText[], Shares | MigrationStage, Partial<MigrationTargeting>?]
  readonly after: readonly [readonly RuleText[], Shares | MigrationStage, Partial<MigrationTargeting>?]
  readonly issues: readonly string[]
}

export function expectIssues({ stages = 6, before, after, issues }: Case) {
  expect(shortIssues(stages, targeting(stages, ...before), targeting(stages, ...after))).toEqual(issues)
}

export const beta = (shares: Shares | MigrationStage): RuleText => ['beta', ['b'], shares]

export const gamma = (shares: Shares | MigrationStage): RuleText => ['gamma', ['g'], shares]

/** Returns a rule that overlaps with any other rule. */
export const wide = (shares: Shares | MigrationStage): RuleText => [
  'wide',
  [keyClause(['eu'], { attribute: 'region' })],
  shares,
]

export const noRules: readonly RuleText[] = []
