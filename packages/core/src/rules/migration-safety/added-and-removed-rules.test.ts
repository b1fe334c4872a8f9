import { describe, it } from 'vitest'
import { about, beta, type Case, gamma, nobody, type RuleText, run, wide } from './test/migration-cases.ts'

/** Returns a rule for contexts with one key that are in Europe; it serves off. */
const inEurope = (key: string): RuleText => [key, [about([key]), about(['eu'], { attribute: 'region' })], 'off']

describe('adding a rule', () => {
  it.each<Case>([
    { says: 'at off', before: [nobody, 'off'], after: [[beta('off')], 'off'], issues: [] },
    { says: 'at dualwrite', before: [nobody, 'off'], after: [[beta('dualwrite')], 'off'], issues: [] },
    { says: 'at shadow', before: [nobody, 'off'], after: [[beta('shadow')], 'off'], issues: ['beta: fallthrough new'] },
    { says: 'at live', before: [nobody, 'off'], after: [[beta('live')], 'off'], issues: ['beta: fallthrough new'] },
    {
      says: 'at rampdown',
      before: [nobody, 'off'],
      after: [[beta('rampdown')], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'at complete',
      before: [nobody, 'off'],
      after: [[beta('complete')], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'at shadow before a default rule at dualwrite',
      before: [nobody, 'dualwrite'],
      after: [[beta('shadow')], 'dualwrite'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'at live before a default rule at shadow',
      before: [nobody, 'shadow'],
      after: [[beta('live')], 'shadow'],
      issues: [],
    },
    {
      says: 'at live before a default rule at complete',
      before: [nobody, 'complete'],
      after: [[beta('live')], 'complete'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'at rampdown before a default rule at complete',
      before: [nobody, 'complete'],
      after: [[beta('rampdown')], 'complete'],
      issues: [],
    },
    {
      says: 'at off before a default rule at complete',
      before: [nobody, 'complete'],
      after: [[beta('off')], 'complete'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'before all other rules',
      before: [[gamma('off')], 'dualwrite'],
      after: [[wide('live'), gamma('off')], 'dualwrite'],
      issues: ['wide: gamma, fallthrough new'],
    },
    {
      says: 'after the only rule, which is at off',
      before: [[gamma('off')], 'live'],
      after: [[gamma('off'), wide('live')], 'live'],
      issues: [],
    },
    {
      says: 'after a rule that matches all of its contexts',
      before: [[['gamma', ['b', 'g'], 'off']], 'off'],
      after: [[['gamma', ['b', 'g'], 'off'], beta('live')], 'off'],
      issues: [],
    },
    {
      says: 'after rules that together match all of its contexts',
      before: [[beta('off'), gamma('off')], 'off'],
      after: [[beta('off'), gamma('off'), ['both', ['b', 'g'], 'live']], 'off'],
      issues: [],
    },
    {
      says: 'after rules that match some of its contexts, by their keys and another attribute',
      before: [[inEurope('b'), inEurope('g')], 'off'],
      after: [[inEurope('b'), inEurope('g'), ['both', ['b', 'g'], 'live']], 'off'],
      issues: ['both: fallthrough new'],
    },
    {
      says: 'that matches no context',
      before: [nobody, 'off'],
      after: [[['beta', [about([])], 'live']], 'off'],
      issues: [],
    },
    {
      says: 'between other rules, for contexts that no other rule matches',
      before: [[gamma('off')], 'shadow'],
      after: [[beta('live'), gamma('off')], 'shadow'],
      issues: [],
    },
    {
      says: 'with a percentage that reads from the new system',
      before: [nobody, 'off'],
      after: [[beta({ off: 90, live: 10 })], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'with the percentages that its contexts had before',
      before: [nobody, { off: 60, live: 40 }],
      after: [[beta({ off: 60, live: 40 })], { off: 60, live: 40 }],
      issues: [],
    },
    {
      says: 'with a larger percentage',
      before: [nobody, { off: 60, live: 40 }],
      after: [[beta({ off: 50, live: 50 })], { off: 60, live: 40 }],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'that harms both systems',
      before: [nobody, { off: 50, complete: 50 }],
      after: [[beta('live')], { off: 50, complete: 50 }],
      issues: ['beta: fallthrough new', 'beta: fallthrough old'],
    },
  ])('has the expected issues: $title', run)
})

describe('removing a rule', () => {
  it.each<Case>([
    {
      says: 'at off, before a default rule at shadow',
      before: [[beta('off')], 'shadow'],
      after: [nobody, 'shadow'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'at dualwrite, before a default rule at live',
      before: [[beta('dualwrite')], 'live'],
      after: [nobody, 'live'],
      issues: ['beta: fallthrough new'],
    },
    { says: 'at shadow, before a default rule at live', before: [[beta('shadow')], 'live'], after: [nobody, 'live'], issues: [] },
    { says: 'at off, before a default rule at dualwrite', before: [[beta('off')], 'dualwrite'], after: [nobody, 'dualwrite'], issues: [] },
    {
      says: 'at complete, before a default rule at live',
      before: [[beta('complete')], 'live'],
      after: [nobody, 'live'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'at complete, before a default rule at off',
      before: [[beta('complete')], 'off'],
      after: [nobody, 'off'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'at complete, before a default rule at rampdown',
      before: [[beta('complete')], 'rampdown'],
      after: [nobody, 'rampdown'],
      issues: [],
    },
    { says: 'at rampdown, before a default rule at off', before: [[beta('rampdown')], 'off'], after: [nobody, 'off'], issues: [] },
    {
      says: 'before several other rules',
      before: [[beta('off'), wide('live')], 'shadow'],
      after: [[wide('live')], 'shadow'],
      issues: ['beta: wide, fallthrough new'],
    },
    {
      says: 'before a rule for other contexts',
      before: [[beta('off'), gamma('live')], 'off'],
      after: [[gamma('live')], 'off'],
      issues: [],
    },
    {
      says: 'before a rule that matches all of its contexts',
      before: [[beta('off'), ['more', ['b', 'm'], 'live']], 'shadow'],
      after: [[['more', ['b', 'm'], 'live']], 'shadow'],
      issues: ['beta: more new'],
    },
    {
      says: 'that no context reached',
      before: [[['more', ['b', 'm'], 'live'], beta('off')], 'live'],
      after: [[['more', ['b', 'm'], 'live']], 'live'],
      issues: [],
    },
    {
      says: 'while a rule for the same contexts is added',
      before: [[beta('off')], 'live'],
      after: [[['other', ['b'], 'off']], 'live'],
      issues: [],
    },
    {
      says: 'while a rule for the same contexts is added at a later stage',
      before: [[beta('off')], 'off'],
      after: [[['other', ['b'], 'live']], 'off'],
      issues: ['other: beta new'],
    },
    {
      says: 'while two rules for the same contexts are added',
      before: [[['both', ['b', 'g'], 'off']], 'live'],
      after: [[beta('off'), gamma('off')], 'live'],
      issues: [],
    },
  ])('has the expected issues: $title', run)
})
