import { describe, expect, it } from 'vitest'
import { migrationSafetyIssues } from './migration-safety-issues.ts'
import type { MigrationStage } from './stages.ts'
import { beta, type Case, noRules, type RuleText, shortIssues, targeting, wide } from './test/migration-cases.ts'

describe('an issue', () => {
  const onlyIssue = (before: Case['before'], after: Case['after']) => {
    const issues = migrationSafetyIssues(6, targeting(6, ...before), targeting(6, ...after))
    expect(issues).toHaveLength(1)
    return issues[0]?.issue
  }
  const missing = 'where they read from the new system without having been backfilled.'
  const stale = 'where they read from the old system, which has missed all writes since they reached complete.'

  it('describes the action, the cohorts and the consequence in one sentence', () => {
    expect(onlyIssue([noRules, 'off'], [[beta('live')], 'off'])).toBe(
      `Adding rule 1 (beta) moves contexts from the default rule into it, ${missing}`,
    )
    expect(onlyIssue([[beta('complete')], 'live'], [noRules, 'live'])).toBe(
      `Removing rule 1 (beta) moves contexts out of it to the default rule, ${stale}`,
    )
    expect(onlyIssue([[wide('off'), beta('live')], 'off'], [[beta('live'), wide('off')], 'off'])).toBe(
      `Moving rule 2 (wide) moves contexts out of it to rule 1 (beta), ${missing}`,
    )
    expect(onlyIssue([[beta('live')], 'off'], [[['beta', ['b', 'c'], 'live']], 'off'])).toBe(
      `Changing the clauses of rule 1 (beta) moves contexts from the default rule into it, ${missing}`,
    )
    expect(onlyIssue([noRules, 'off'], [noRules, 'live'])).toBe(
      'Changing the rollout of the default rule moves contexts from off to a stage that reads from the new system, to which their data were never written.',
    )
    expect(onlyIssue([noRules, 'complete'], [noRules, 'complete', { on: false }])).toBe(
      'Turning the flag off moves contexts of the default rule from complete back to a stage that reads from the old system, which has missed all writes since then.',
    )
  })

  it('refers to a rule by its description, unless that is long', () => {
    const issueWithDescription = (description: string) => {
      const { rules, ...rest } = targeting(6, [beta('live')], 'off')
      const after = { ...rest, rules: rules.map((rule) => ({ ...rule, description })) }
      return migrationSafetyIssues(6, targeting(6, [], 'off'), after)[0]?.issue
    }
    expect(issueWithDescription('Beta users')).toContain('Adding the rule "Beta users" moves')
    expect(issueWithDescription('x'.repeat(81))).toContain('Adding rule 1 (beta) moves')
  })

  it('lists at most five cohorts', () => {
    const sevenRules = Array.from({ length: 7 }, (_, index): RuleText => [`r${index}`, [`k${index}`], 'off'])
    expect(onlyIssue([sevenRules, 'live'], [[wide('live'), ...sevenRules], 'live'])).toContain(
      'from rule 1 (r0), rule 2 (r1), rule 3 (r2), rule 4 (r3), rule 5 (r4) and 2 more into it',
    )
  })
})

describe('the comparison of many rules', () => {
  it('stops at its limit, and then reports every possible issue', () => {
    const keys = (from: number) => Array.from({ length: 100 }, (_, index) => `k${from}-${index}`)
    const rules = (name: string, shares: MigrationStage) =>
      Array.from({ length: 300 }, (_, index): RuleText => [`${name}${index}`, keys(index), shares])
    const before = targeting(6, rules('a', 'off'), 'off')
    const issues = migrationSafetyIssues(6, before, targeting(6, rules('b', 'live'), 'off'))
    expect(issues.map(({ causingRuleId }) => causingRuleId)).toEqual(rules('b', 'live').map(([id]) => id))
  }, 10_000)

  it('takes little time if one rule of thousands changes', () => {
    const rules = Array.from({ length: 2000 }, (_, index): RuleText => [`r${index}`, [`k${index}`], 'off'])
    const before = targeting(6, rules, 'off')
    expect(shortIssues(6, before, targeting(6, [wide('live'), ...rules], 'off'))).toHaveLength(1)
  }, 10_000)
})
