import { describe, it } from 'vitest'
import type { MigrationStage } from './stages.ts'
import {
  beta,
  type Case,
  expectIssues,
  gamma,
  keyClause,
  type RuleText,
  type Shares,
  wide,
} from './test/migration-cases.ts'

describe('moving a rule', () => {
  it.each<Case>([
    {
      title: 'after one that reads the new system',
      before: [[wide('off'), beta('live')], 'off'],
      after: [[beta('live'), wide('off')], 'off'],
      issues: ['wide: beta new'],
    },
    {
      title: 'after one that reads the old system',
      before: [[wide('complete'), beta('live')], 'complete'],
      after: [[beta('live'), wide('complete')], 'complete'],
      issues: ['wide: beta old'],
    },
    {
      title: 'before several rules',
      before: [[['a', ['x'], 'off'], beta('dualwrite'), gamma('off'), wide('live')], 'live'],
      after: [[wide('live'), ['a', ['x'], 'off'], beta('dualwrite'), gamma('off')], 'live'],
      issues: ['wide: a, beta, gamma new'],
    },
    {
      title: 'after several rules',
      before: [[wide('off'), ['a', ['x'], 'live'], beta('shadow'), gamma('dualwrite')], 'off'],
      after: [[['a', ['x'], 'live'], beta('shadow'), gamma('dualwrite'), wide('off')], 'off'],
      issues: ['wide: a, beta new'],
    },
    {
      title: 'after another rule that is moved before it',
      before: [
        [wide('off'), beta('off'), gamma('off'), ['plan', [keyClause(['x'], { attribute: 'plan' })], 'live']],
        'off',
      ],
      after: [
        [['plan', [keyClause(['x'], { attribute: 'plan' })], 'live'], beta('off'), gamma('off'), wide('off')],
        'off',
      ],
      issues: ['wide: plan new', 'plan: beta, gamma new'],
    },
    {
      title: 'among rules for other contexts',
      before: [[beta('off'), gamma('live')], 'off'],
      after: [[gamma('live'), beta('off')], 'off'],
      issues: [],
    },
    {
      title: 'after one that is backfilled as well',
      before: [[wide('shadow'), beta('live')], 'off'],
      after: [[beta('live'), wide('shadow')], 'off'],
      issues: [],
    },
    {
      title: 'before one that reads the new system and loses contexts to it',
      before: [[wide('live'), beta('off')], 'off'],
      after: [[beta('off'), wide('live')], 'off'],
      issues: [],
    },
  ])('has the expected issues: $title', expectIssues)
})

describe('changing the clauses of a rule', () => {
  const keys = (values: readonly string[], shares: Shares | MigrationStage): RuleText => ['beta', values, shares]
  it.each<Case>([
    {
      title: 'so that it gains contexts that are not backfilled',
      before: [[keys(['b'], 'live')], 'off'],
      after: [[keys(['b', 'c'], 'live')], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'so that it gains contexts that are complete',
      before: [[keys(['b'], 'live')], 'complete'],
      after: [[keys(['b', 'c'], 'live')], 'complete'],
      issues: ['beta: fallthrough old'],
    },
    {
      title: 'so that it loses contexts that are not backfilled',
      before: [[keys(['b', 'c'], 'off')], 'live'],
      after: [[keys(['b'], 'off')], 'live'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'so that it loses contexts that are complete',
      before: [[keys(['b', 'c'], 'complete')], 'off'],
      after: [[keys(['b'], 'complete')], 'off'],
      issues: ['beta: fallthrough old'],
    },
    {
      title: 'so that it loses contexts that are backfilled',
      before: [[keys(['b', 'c'], 'live')], 'off'],
      after: [[keys(['b'], 'live')], 'off'],
      issues: [],
    },
    {
      title: 'so that it gains contexts that are backfilled',
      before: [[keys(['b'], 'rampdown')], 'shadow'],
      after: [[keys(['b', 'c'], 'rampdown')], 'shadow'],
      issues: [],
    },
    {
      title: 'so that it gains some contexts and loses others',
      before: [[keys(['b'], 'live'), gamma('off')], 'off'],
      after: [[keys(['g'], 'live'), gamma('off')], 'off'],
      issues: ['beta: gamma new'],
    },
    {
      title: 'in the order of their values only',
      before: [[keys(['b', 'c'], 'live')], 'off'],
      after: [[keys(['c', 'b'], 'live')], 'off'],
      issues: [],
    },
    {
      title: 'by adding a clause',
      before: [[keys(['b'], 'off')], 'live'],
      after: [[['beta', [keyClause(['b']), keyClause(['eu'], { attribute: 'region' })], 'off']], 'live'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'by removing a clause',
      before: [[['beta', [keyClause(['b']), keyClause(['eu'], { attribute: 'region' })], 'live']], 'off'],
      after: [[keys(['b'], 'live')], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'to their negation',
      before: [[['beta', [keyClause(['b'])], 'off']], 'live'],
      after: [[['beta', [keyClause(['b'], { negate: true })], 'off']], 'live'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'and those of another rule, which gains the contexts that it loses',
      before: [[keys(['b', 'c'], 'off'), gamma('off')], 'live'],
      after: [[keys(['b'], 'off'), ['gamma', ['g', 'c'], 'off']], 'live'],
      issues: [],
    },
    {
      title: 'so that they match contexts that an earlier rule already matches',
      before: [[gamma('off'), keys(['b'], 'live')], 'off'],
      after: [[gamma('off'), keys(['b', 'g'], 'live')], 'off'],
      issues: [],
    },
    {
      title: 'on an attribute that can be a list',
      before: [
        [
          ['a', [keyClause(['x'], { attribute: 'plan' })], 'off'],
          ['p', [keyClause(['y'], { attribute: 'plan' })], 'live'],
        ],
        'live',
      ],
      after: [
        [
          ['p', [keyClause(['y'], { attribute: 'plan' })], 'live'],
          ['a', [keyClause(['x'], { attribute: 'plan' })], 'off'],
        ],
        'live',
      ],
      issues: ['a: p new'],
    },
    {
      title: 'so that a value is a number',
      before: [[keys(['1'], 'off')], 'live'],
      after: [[['beta', [keyClause([1])], 'off']], 'live'],
      issues: ['beta: fallthrough new'],
    },
  ])('has the expected issues: $title', expectIssues)
})
