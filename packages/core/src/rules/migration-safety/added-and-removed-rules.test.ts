import { describe, it } from 'vitest'
import { about, beta, type Case, gamma, nobody, type RuleText, run, wide } from './test/migration-cases.ts'

/** Those of one key that are in Europe, at off. */
const inEurope = (key: string): RuleText => [key, [about([key]), about(['eu'], { attribute: 'region' })], 'off']

describe('a rule that is added', () => {
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
      says: 'at shadow over what is at dualwrite',
      before: [nobody, 'dualwrite'],
      after: [[beta('shadow')], 'dualwrite'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'at live over what is at shadow',
      before: [nobody, 'shadow'],
      after: [[beta('live')], 'shadow'],
      issues: [],
    },
    {
      says: 'at live over what is complete',
      before: [nobody, 'complete'],
      after: [[beta('live')], 'complete'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'at rampdown over what is complete',
      before: [nobody, 'complete'],
      after: [[beta('rampdown')], 'complete'],
      issues: [],
    },
    {
      says: 'at off over what is complete',
      before: [nobody, 'complete'],
      after: [[beta('off')], 'complete'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'ahead of all others',
      before: [[gamma('off')], 'dualwrite'],
      after: [[wide('live'), gamma('off')], 'dualwrite'],
      issues: ['wide: gamma, fallthrough new'],
    },
    {
      says: 'behind the only rule at off',
      before: [[gamma('off')], 'live'],
      after: [[gamma('off'), wide('live')], 'live'],
      issues: [],
    },
    {
      says: 'behind a rule that catches all of its contexts',
      before: [[['gamma', ['b', 'g'], 'off']], 'off'],
      after: [[['gamma', ['b', 'g'], 'off'], beta('live')], 'off'],
      issues: [],
    },
    {
      says: 'behind rules that catch all of its contexts',
      before: [[beta('off'), gamma('off')], 'off'],
      after: [[beta('off'), gamma('off'), ['both', ['b', 'g'], 'live']], 'off'],
      issues: [],
    },
    {
      says: 'behind rules that catch some of its contexts, by their keys and by more',
      before: [[inEurope('b'), inEurope('g')], 'off'],
      after: [[inEurope('b'), inEurope('g'), ['both', ['b', 'g'], 'live']], 'off'],
      issues: ['both: fallthrough new'],
    },
    {
      says: 'for nobody',
      before: [nobody, 'off'],
      after: [[['beta', [about([])], 'live']], 'off'],
      issues: [],
    },
    {
      says: 'between others, for contexts of its own',
      before: [[gamma('off')], 'shadow'],
      after: [[beta('live'), gamma('off')], 'shadow'],
      issues: [],
    },
    {
      says: 'with a share that reads the new system',
      before: [nobody, 'off'],
      after: [[beta({ off: 90, live: 10 })], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'with shares like those that its contexts had',
      before: [nobody, { off: 60, live: 40 }],
      after: [[beta({ off: 60, live: 40 })], { off: 60, live: 40 }],
      issues: [],
    },
    {
      says: 'with a larger share',
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
  ])('$says', run)
})

describe('a rule that is removed', () => {
  it.each<Case>([
    {
      says: 'at off, over shadow',
      before: [[beta('off')], 'shadow'],
      after: [nobody, 'shadow'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'at dualwrite, over live',
      before: [[beta('dualwrite')], 'live'],
      after: [nobody, 'live'],
      issues: ['beta: fallthrough new'],
    },
    { says: 'at shadow, over live', before: [[beta('shadow')], 'live'], after: [nobody, 'live'], issues: [] },
    { says: 'at off, over dualwrite', before: [[beta('off')], 'dualwrite'], after: [nobody, 'dualwrite'], issues: [] },
    {
      says: 'at complete, over live',
      before: [[beta('complete')], 'live'],
      after: [nobody, 'live'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'at complete, over off',
      before: [[beta('complete')], 'off'],
      after: [nobody, 'off'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'at complete, over rampdown',
      before: [[beta('complete')], 'rampdown'],
      after: [nobody, 'rampdown'],
      issues: [],
    },
    { says: 'at rampdown, over off', before: [[beta('rampdown')], 'off'], after: [nobody, 'off'], issues: [] },
    {
      says: 'over several others',
      before: [[beta('off'), wide('live')], 'shadow'],
      after: [[wide('live')], 'shadow'],
      issues: ['beta: wide, fallthrough new'],
    },
    {
      says: 'over a rule for others',
      before: [[beta('off'), gamma('live')], 'off'],
      after: [[gamma('live')], 'off'],
      issues: [],
    },
    {
      says: 'over a rule that catches all of its contexts',
      before: [[beta('off'), ['more', ['b', 'm'], 'live']], 'shadow'],
      after: [[['more', ['b', 'm'], 'live']], 'shadow'],
      issues: ['beta: more new'],
    },
    {
      says: 'that nobody came to',
      before: [[['more', ['b', 'm'], 'live'], beta('off')], 'live'],
      after: [[['more', ['b', 'm'], 'live']], 'live'],
      issues: [],
    },
    {
      says: 'while one for the same contexts is added',
      before: [[beta('off')], 'live'],
      after: [[['other', ['b'], 'off']], 'live'],
      issues: [],
    },
    {
      says: 'while one for the same contexts is added that goes on',
      before: [[beta('off')], 'off'],
      after: [[['other', ['b'], 'live']], 'off'],
      issues: ['other: beta new'],
    },
    {
      says: 'while two for the same contexts are added',
      before: [[['both', ['b', 'g'], 'off']], 'live'],
      after: [[beta('off'), gamma('off')], 'live'],
      issues: [],
    },
  ])('$says', run)
})
