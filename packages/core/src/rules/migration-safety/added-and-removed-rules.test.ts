import { describe, it } from 'vitest'
import {
  beta,
  type Case,
  expectIssues,
  gamma,
  keyClause,
  noRules,
  type RuleText,
  wide,
} from './test/migration-cases.ts'

/** Returns a rule for contexts with one key that are in Europe; it serves off. */
const inEurope = (key: string): RuleText => [key, [keyClause([key]), keyClause(['eu'], { attribute: 'region' })], 'off']

describe('adding a rule', () => {
  it.each<Case>([
    { title: 'at off', before: [noRules, 'off'], after: [[beta('off')], 'off'], issues: [] },
    { title: 'at dualwrite', before: [noRules, 'off'], after: [[beta('dualwrite')], 'off'], issues: [] },
    {
      title: 'at shadow',
      before: [noRules, 'off'],
      after: [[beta('shadow')], 'off'],
      issues: ['beta: fallthrough new'],
    },
    { title: 'at live', before: [noRules, 'off'], after: [[beta('live')], 'off'], issues: ['beta: fallthrough new'] },
    {
      title: 'at rampdown',
      before: [noRules, 'off'],
      after: [[beta('rampdown')], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'at complete',
      before: [noRules, 'off'],
      after: [[beta('complete')], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'at shadow before a default rule at dualwrite',
      before: [noRules, 'dualwrite'],
      after: [[beta('shadow')], 'dualwrite'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'at live before a default rule at shadow',
      before: [noRules, 'shadow'],
      after: [[beta('live')], 'shadow'],
      issues: [],
    },
    {
      title: 'at live before a default rule at complete',
      before: [noRules, 'complete'],
      after: [[beta('live')], 'complete'],
      issues: ['beta: fallthrough old'],
    },
    {
      title: 'at rampdown before a default rule at complete',
      before: [noRules, 'complete'],
      after: [[beta('rampdown')], 'complete'],
      issues: [],
    },
    {
      title: 'at off before a default rule at complete',
      before: [noRules, 'complete'],
      after: [[beta('off')], 'complete'],
      issues: ['beta: fallthrough old'],
    },
    {
      title: 'before all other rules',
      before: [[gamma('off')], 'dualwrite'],
      after: [[wide('live'), gamma('off')], 'dualwrite'],
      issues: ['wide: gamma, fallthrough new'],
    },
    {
      title: 'after the only rule, which is at off',
      before: [[gamma('off')], 'live'],
      after: [[gamma('off'), wide('live')], 'live'],
      issues: [],
    },
    {
      title: 'after a rule that matches all of its contexts',
      before: [[['gamma', ['b', 'g'], 'off']], 'off'],
      after: [[['gamma', ['b', 'g'], 'off'], beta('live')], 'off'],
      issues: [],
    },
    {
      title: 'after rules that together match all of its contexts',
      before: [[beta('off'), gamma('off')], 'off'],
      after: [[beta('off'), gamma('off'), ['both', ['b', 'g'], 'live']], 'off'],
      issues: [],
    },
    {
      title: 'after rules that match some of its contexts, by their keys and another attribute',
      before: [[inEurope('b'), inEurope('g')], 'off'],
      after: [[inEurope('b'), inEurope('g'), ['both', ['b', 'g'], 'live']], 'off'],
      issues: ['both: fallthrough new'],
    },
    {
      title: 'that matches no context',
      before: [noRules, 'off'],
      after: [[['beta', [keyClause([])], 'live']], 'off'],
      issues: [],
    },
    {
      title: 'between other rules, for contexts that no other rule matches',
      before: [[gamma('off')], 'shadow'],
      after: [[beta('live'), gamma('off')], 'shadow'],
      issues: [],
    },
    {
      title: 'with a percentage that reads from the new system',
      before: [noRules, 'off'],
      after: [[beta({ off: 90, live: 10 })], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'with the percentages that its contexts had before',
      before: [noRules, { off: 60, live: 40 }],
      after: [[beta({ off: 60, live: 40 })], { off: 60, live: 40 }],
      issues: [],
    },
    {
      title: 'with a larger percentage',
      before: [noRules, { off: 60, live: 40 }],
      after: [[beta({ off: 50, live: 50 })], { off: 60, live: 40 }],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'that harms both systems',
      before: [noRules, { off: 50, complete: 50 }],
      after: [[beta('live')], { off: 50, complete: 50 }],
      issues: ['beta: fallthrough new', 'beta: fallthrough old'],
    },
  ])('has the expected issues: $title', expectIssues)
})

describe('removing a rule', () => {
  it.each<Case>([
    {
      title: 'at off, before a default rule at shadow',
      before: [[beta('off')], 'shadow'],
      after: [noRules, 'shadow'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'at dualwrite, before a default rule at live',
      before: [[beta('dualwrite')], 'live'],
      after: [noRules, 'live'],
      issues: ['beta: fallthrough new'],
    },
    {
      title: 'at shadow, before a default rule at live',
      before: [[beta('shadow')], 'live'],
      after: [noRules, 'live'],
      issues: [],
    },
    {
      title: 'at off, before a default rule at dualwrite',
      before: [[beta('off')], 'dualwrite'],
      after: [noRules, 'dualwrite'],
      issues: [],
    },
    {
      title: 'at complete, before a default rule at live',
      before: [[beta('complete')], 'live'],
      after: [noRules, 'live'],
      issues: ['beta: fallthrough old'],
    },
    {
      title: 'at complete, before a default rule at off',
      before: [[beta('complete')], 'off'],
      after: [noRules, 'off'],
      issues: ['beta: fallthrough old'],
    },
    {
      title: 'at complete, before a default rule at rampdown',
      before: [[beta('complete')], 'rampdown'],
      after: [noRules, 'rampdown'],
      issues: [],
    },
    {
      title: 'at rampdown, before a default rule at off',
      before: [[beta('rampdown')], 'off'],
      after: [noRules, 'off'],
      issues: [],
    },
    {
      title: 'before several other rules',
      before: [[beta('off'), wide('live')], 'shadow'],
      after: [[wide('live')], 'shadow'],
      issues: ['beta: wide, fallthrough new'],
    },
    {
      title: 'before a rule for other contexts',
      before: [[beta('off'), gamma('live')], 'off'],
      after: [[gamma('live')], 'off'],
      issues: [],
    },
    {
      title: 'before a rule that matches all of its contexts',
      before: [[beta('off'), ['more', ['b', 'm'], 'live']], 'shadow'],
      after: [[['more', ['b', 'm'], 'live']], 'shadow'],
      issues: ['beta: more new'],
    },
    {
      title: 'that no context reached',
      before: [[['more', ['b', 'm'], 'live'], beta('off')], 'live'],
      after: [[['more', ['b', 'm'], 'live']], 'live'],
      issues: [],
    },
    {
      title: 'while a rule for the same contexts is added',
      before: [[beta('off')], 'live'],
      after: [[['other', ['b'], 'off']], 'live'],
      issues: [],
    },
    {
      title: 'while a rule for the same contexts is added at a later stage',
      before: [[beta('off')], 'off'],
      after: [[['other', ['b'], 'live']], 'off'],
      issues: ['other: beta new'],
    },
    {
      title: 'while two rules for the same contexts are added',
      before: [[['both', ['b', 'g'], 'off']], 'live'],
      after: [[beta('off'), gamma('off')], 'live'],
      issues: [],
    },
  ])('has the expected issues: $title', expectIssues)
})
