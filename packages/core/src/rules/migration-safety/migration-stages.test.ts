import { describe, expect, it } from 'vitest'
import type { MigrationTargeting } from './cohorts.ts'
import type { MigrationStage } from './stages.ts'
import {
  beta,
  type Case,
  expectIssues,
  keyClause,
  noRules,
  type RuleText,
  rollout,
  type Shares,
  shortIssues,
  targeting,
  wide,
} from './test/migration-cases.ts'

describe('a cohort whose own stage changes', () => {
  const step = (from: Shares | MigrationStage, to: Shares | MigrationStage, issues: readonly string[]): Case => ({
    title: `${JSON.stringify(from)} to ${JSON.stringify(to)}`,
    before: [[beta(from)], 'dualwrite'],
    after: [[beta(to)], 'dualwrite'],
    issues,
  })
  it.each<Case>([
    step('off', 'off', []),
    step('off', 'dualwrite', []),
    step('off', 'shadow', ['beta: beta new']),
    step('off', 'live', ['beta: beta new']),
    step('off', 'rampdown', ['beta: beta new']),
    step('off', 'complete', ['beta: beta new']),
    step('dualwrite', 'shadow', []),
    step('dualwrite', 'live', []),
    step('shadow', 'live', []),
    step('live', 'rampdown', []),
    step('rampdown', 'complete', []),
    step('complete', 'rampdown', []),
    step('complete', 'live', ['beta: beta old']),
    step('complete', 'shadow', ['beta: beta old']),
    step('complete', 'dualwrite', ['beta: beta old']),
    step('complete', 'off', ['beta: beta old']),
    step('rampdown', 'live', []),
    step('live', 'off', []),
    step({ off: 90, dualwrite: 10 }, { off: 50, dualwrite: 50 }, []),
    step({ off: 50, dualwrite: 50 }, { off: 50, dualwrite: 20, shadow: 30 }, []),
    step({ off: 50, dualwrite: 50 }, { off: 30, dualwrite: 10, shadow: 60 }, ['beta: beta new']),
    step({ off: 50, dualwrite: 50 }, { off: 50, shadow: 50 }, []),
    step({ rampdown: 50, complete: 50 }, { rampdown: 90, complete: 10 }, []),
    step({ live: 50, complete: 50 }, { live: 60, complete: 40 }, ['beta: beta old']),
    step({ off: 50, complete: 50 }, { complete: 100 }, ['beta: beta new']),
  ])('has the expected issues: $title', expectIssues)

  it('can be the default rule', () =>
    expectIssues({
      title: '',
      before: [[beta('off')], 'off'],
      after: [[beta('off')], 'live'],
      issues: ['fallthrough: fallthrough new'],
    }))

  it('has no issue if no context can be in it', () =>
    expectIssues({
      title: '',
      before: [[wide('off'), wide2('off')], 'off'],
      after: [[wide('off'), wide2('live')], 'off'],
      issues: [],
    }))
  const wide2 = (shares: Shares | MigrationStage): RuleText => [
    'wide2',
    [keyClause(['eu'], { attribute: 'region' })],
    shares,
  ]

  it.each([
    ['kind', { contextKind: 'user' }],
    ['attribute', { bucketBy: 'region' }],
  ])('assigns new buckets if the rollout uses another %s', (_, options) => {
    const shares = { off: 50, live: 50 }
    const before = targeting(6, [], shares)
    const after = { ...before, fallthrough: rollout(6, shares, options) }
    expect(shortIssues(6, before, after)).toEqual(['fallthrough: fallthrough new'])
    expect(shortIssues(6, before, { ...before, fallthrough: rollout(6, shares, { bucketBy: 'key' }) })).toEqual([])
  })

  it('can serve one stage without a rollout', () => {
    const before: MigrationTargeting = { on: true, rules: [], fallthrough: { variation: 0 } }
    expect(shortIssues(6, before, { ...before, fallthrough: { variation: 3 } })).toEqual([
      'fallthrough: fallthrough new',
    ])
  })
})

describe('turning a flag', () => {
  it.each<Case>([
    {
      title: 'on, with everything at off',
      before: [noRules, 'off', { on: false }],
      after: [noRules, 'off'],
      issues: [],
    },
    {
      title: 'on at dualwrite',
      before: [noRules, 'dualwrite', { on: false }],
      after: [noRules, 'dualwrite'],
      issues: [],
    },
    {
      title: 'on at live',
      before: [[beta('live')], 'off', { on: false }],
      after: [[beta('live')], 'off'],
      issues: ['beta: beta new'],
    },
    {
      title: 'on with a new rule',
      before: [noRules, 'off', { on: false }],
      after: [[beta('live')], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'off at live',
      before: [[beta('live')], 'off'],
      after: [[beta('live')], 'off', { on: false }],
      issues: [],
    },
    {
      title: 'off at complete',
      before: [[beta('complete')], 'live'],
      after: [[beta('complete')], 'live', { on: false }],
      issues: ['beta: beta old'],
    },
    {
      title: 'neither on nor off, while a rule is added',
      before: [noRules, 'off', { on: false }],
      after: [[beta('live')], 'off', { on: false }],
      issues: ['beta: fallthrough new'],
    },
  ])('has the expected issues: $title', expectIssues)
})

describe('a flag with two or four stages', () => {
  const two = { stages: 2 } as const
  const four = { stages: 4 } as const
  const waiting = { prerequisites: [{ key: 'base', variation: 1 }] }
  it.each<Case>([
    {
      title: 'a rule at complete is added',
      ...two,
      before: [noRules, 'off'],
      after: [[beta('complete')], 'off'],
      issues: [],
    },
    {
      title: 'a rule at off is added',
      ...two,
      before: [noRules, 'complete'],
      after: [[beta('off')], 'complete'],
      issues: ['beta: fallthrough old'],
    },
    {
      title: 'a rule at complete is removed',
      ...two,
      before: [[beta('complete')], 'off'],
      after: [noRules, 'off'],
      issues: ['beta: fallthrough old'],
    },
    {
      title: 'a rule at off is removed',
      ...two,
      before: [[beta('off')], 'complete'],
      after: [noRules, 'complete'],
      issues: [],
    },
    {
      title: 'its default rule moves to complete',
      ...two,
      before: [noRules, 'off'],
      after: [noRules, 'complete'],
      issues: [],
    },
    {
      title: 'its default rule moves back to off',
      ...two,
      before: [noRules, 'complete'],
      after: [noRules, 'off'],
      issues: ['fallthrough: fallthrough old'],
    },
    {
      title: 'a smaller percentage is complete',
      ...two,
      before: [noRules, { off: 20, complete: 80 }],
      after: [noRules, { off: 30, complete: 70 }],
      issues: ['fallthrough: fallthrough old'],
    },
    { title: 'a rule at live is added', ...four, before: [noRules, 'off'], after: [[beta('live')], 'off'], issues: [] },
    {
      title: 'its default rule skips a stage',
      ...four,
      before: [noRules, 'off'],
      after: [noRules, 'live'],
      issues: [],
    },
    {
      title: 'its default rule moves back from complete',
      ...four,
      before: [noRules, 'complete'],
      after: [noRules, 'shadow'],
      issues: ['fallthrough: fallthrough old'],
    },
    {
      title: 'a rule is moved after one at live',
      ...four,
      before: [[wide('complete'), beta('live')], 'off'],
      after: [[beta('live'), wide('complete')], 'off'],
      issues: ['wide: beta old'],
    },
    {
      title: 'a prerequisite is added',
      ...four,
      before: [[beta('complete')], 'live'],
      after: [[beta('complete')], 'live', waiting],
      issues: ['beta: beta old'],
    },
    {
      title: 'a prerequisite is removed',
      ...four,
      before: [[beta('complete')], 'live', waiting],
      after: [[beta('complete')], 'live'],
      issues: [],
    },
    {
      title: 'a prerequisite is unchanged',
      ...four,
      before: [[beta('complete')], 'live', waiting],
      after: [[beta('complete')], 'live', waiting],
      issues: [],
    },
    {
      title: 'a prerequisite requires another variation',
      ...four,
      before: [noRules, 'complete', waiting],
      after: [noRules, 'complete', { prerequisites: [{ key: 'base', variation: 0 }] }],
      issues: ['fallthrough: fallthrough old'],
    },
    {
      title: 'it is turned off at complete',
      ...four,
      before: [noRules, 'complete'],
      after: [noRules, 'complete', { on: false }],
      issues: ['fallthrough: fallthrough old'],
    },
    {
      title: 'it is turned on at live',
      ...four,
      before: [noRules, 'live', { on: false }],
      after: [noRules, 'live'],
      issues: [],
    },
  ])('has the expected issues: $title', expectIssues)
})
