import { describe, expect, it } from 'vitest'
import type { Clause } from '../targeting/clause.ts'
import { wholeWeight } from '../targeting/serve.ts'
import type { MigrationRule, MigrationTargeting } from './cohorts.ts'
import { migrationSafetyIssues } from './migration-safety-issues.ts'
import { type MigrationStage, migrationStages, type StageCount } from './stages.ts'

type Shares = Partial<Record<MigrationStage, number>>

/** Weights in percent, in the order of the stages. */
function rollout(count: StageCount, shares: Shares, more: { contextKind?: string; bucketBy?: string } = {}) {
  const variations = migrationStages[count].map((stage, variation) => ({
    variation,
    weight: ((shares[stage] ?? 0) * wholeWeight) / 100,
  }))
  return { rollout: { variations, contextKind: 'org', ...more } }
}

const about = (values: Clause['values'], more: Partial<Clause> = {}): Clause => ({
  _id: 'c',
  contextKind: 'org',
  attribute: 'key',
  op: 'in',
  values,
  negate: false,
  ...more,
})

const all = (stage: MigrationStage): Shares => ({ [stage]: 100 })

/** A rule in short: its id, the keys that it names or its clauses, and what it serves. */
type RuleText = readonly [id: string, what: readonly string[] | readonly Clause[], shares: Shares | MigrationStage]

function targeting(
  count: StageCount,
  rules: readonly RuleText[],
  fallthrough: Shares | MigrationStage,
  more: Partial<MigrationTargeting> = {},
): MigrationTargeting {
  const serve = (shares: Shares | MigrationStage) => rollout(count, typeof shares === 'string' ? all(shares) : shares)
  return {
    on: true,
    rules: rules.map(([_id, what, shares]): MigrationRule => ({ _id, clauses: clausesOf(what), ...serve(shares) })),
    fallthrough: serve(fallthrough),
    ...more,
  }
}

function clausesOf(what: readonly string[] | readonly Clause[]): readonly Clause[] {
  return typeof what[0] === 'string' ? [about(what as readonly string[])] : (what as readonly Clause[])
}

/** Issues in short: `cause: affected, affected` and whose data suffer. */
const short = (count: StageCount, before: MigrationTargeting, after: MigrationTargeting) =>
  migrationSafetyIssues(count, before, after).map(
    ({ causingRuleId, affectedRuleIds, oldSystemAffected }) =>
      `${causingRuleId}: ${affectedRuleIds.join(', ')} ${oldSystemAffected ? 'old' : 'new'}`,
  )

interface Case {
  readonly says: string
  readonly stages?: StageCount
  readonly before: readonly [readonly RuleText[], Shares | MigrationStage, Partial<MigrationTargeting>?]
  readonly after: readonly [readonly RuleText[], Shares | MigrationStage, Partial<MigrationTargeting>?]
  readonly issues: readonly string[]
}

function run({ stages = 6, before, after, issues }: Case) {
  expect(short(stages, targeting(stages, ...before), targeting(stages, ...after))).toEqual(issues)
}

const beta = (shares: Shares | MigrationStage): RuleText => ['beta', ['b'], shares]
const gamma = (shares: Shares | MigrationStage): RuleText => ['gamma', ['g'], shares]
/** Overlaps with any other rule. */
const wide = (shares: Shares | MigrationStage): RuleText => ['wide', [about(['eu'], { attribute: 'region' })], shares]
/** Those of one key that are in Europe, at off. */
const inEurope = (key: string): RuleText => [key, [about([key]), about(['eu'], { attribute: 'region' })], 'off']
const nobody: readonly RuleText[] = []

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

describe('a rule that is moved', () => {
  it.each<Case>([
    {
      says: 'behind one that reads the new system',
      before: [[wide('off'), beta('live')], 'off'],
      after: [[beta('live'), wide('off')], 'off'],
      issues: ['wide: beta new'],
    },
    {
      says: 'behind one that reads the old system',
      before: [[wide('complete'), beta('live')], 'complete'],
      after: [[beta('live'), wide('complete')], 'complete'],
      issues: ['wide: beta old'],
    },
    {
      says: 'ahead of several',
      before: [[['a', ['x'], 'off'], beta('dualwrite'), gamma('off'), wide('live')], 'live'],
      after: [[wide('live'), ['a', ['x'], 'off'], beta('dualwrite'), gamma('off')], 'live'],
      issues: ['wide: a, beta, gamma new'],
    },
    {
      says: 'behind several',
      before: [[wide('off'), ['a', ['x'], 'live'], beta('shadow'), gamma('dualwrite')], 'off'],
      after: [[['a', ['x'], 'live'], beta('shadow'), gamma('dualwrite'), wide('off')], 'off'],
      issues: ['wide: a, beta new'],
    },
    {
      says: 'behind another that is moved ahead of it',
      before: [
        [wide('off'), beta('off'), gamma('off'), ['plan', [about(['x'], { attribute: 'plan' })], 'live']],
        'off',
      ],
      after: [[['plan', [about(['x'], { attribute: 'plan' })], 'live'], beta('off'), gamma('off'), wide('off')], 'off'],
      issues: ['wide: plan new', 'plan: beta, gamma new'],
    },
    {
      says: 'among rules for others',
      before: [[beta('off'), gamma('live')], 'off'],
      after: [[gamma('live'), beta('off')], 'off'],
      issues: [],
    },
    {
      says: 'behind one that is backfilled as well',
      before: [[wide('shadow'), beta('live')], 'off'],
      after: [[beta('live'), wide('shadow')], 'off'],
      issues: [],
    },
    {
      says: 'ahead of one that reads the new system, which loses contexts to it',
      before: [[wide('live'), beta('off')], 'off'],
      after: [[beta('off'), wide('live')], 'off'],
      issues: [],
    },
  ])('$says', run)
})

describe('a rule whose clauses change', () => {
  const keys = (values: readonly string[], shares: Shares | MigrationStage): RuleText => ['beta', values, shares]
  it.each<Case>([
    {
      says: 'gains contexts that are not backfilled',
      before: [[keys(['b'], 'live')], 'off'],
      after: [[keys(['b', 'c'], 'live')], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'gains contexts that are complete',
      before: [[keys(['b'], 'live')], 'complete'],
      after: [[keys(['b', 'c'], 'live')], 'complete'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'loses contexts that are not backfilled',
      before: [[keys(['b', 'c'], 'off')], 'live'],
      after: [[keys(['b'], 'off')], 'live'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'loses contexts that are complete',
      before: [[keys(['b', 'c'], 'complete')], 'off'],
      after: [[keys(['b'], 'complete')], 'off'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'loses contexts that are backfilled',
      before: [[keys(['b', 'c'], 'live')], 'off'],
      after: [[keys(['b'], 'live')], 'off'],
      issues: [],
    },
    {
      says: 'gains contexts that are backfilled',
      before: [[keys(['b'], 'rampdown')], 'shadow'],
      after: [[keys(['b', 'c'], 'rampdown')], 'shadow'],
      issues: [],
    },
    {
      says: 'gains in one place and loses in another',
      before: [[keys(['b'], 'live'), gamma('off')], 'off'],
      after: [[keys(['g'], 'live'), gamma('off')], 'off'],
      issues: ['beta: gamma new'],
    },
    {
      says: 'only in the order of its values',
      before: [[keys(['b', 'c'], 'live')], 'off'],
      after: [[keys(['c', 'b'], 'live')], 'off'],
      issues: [],
    },
    {
      says: 'by a clause more',
      before: [[keys(['b'], 'off')], 'live'],
      after: [[['beta', [about(['b']), about(['eu'], { attribute: 'region' })], 'off']], 'live'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'by a clause less',
      before: [[['beta', [about(['b']), about(['eu'], { attribute: 'region' })], 'live']], 'off'],
      after: [[keys(['b'], 'live')], 'off'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'to their opposite',
      before: [[['beta', [about(['b'])], 'off']], 'live'],
      after: [[['beta', [about(['b'], { negate: true })], 'off']], 'live'],
      issues: ['beta: fallthrough new'],
    },
    {
      says: 'and another with it, which takes what it lost',
      before: [[keys(['b', 'c'], 'off'), gamma('off')], 'live'],
      after: [[keys(['b'], 'off'), ['gamma', ['g', 'c'], 'off']], 'live'],
      issues: [],
    },
    {
      says: 'to what no other rule leaves over',
      before: [[gamma('off'), keys(['b'], 'live')], 'off'],
      after: [[gamma('off'), keys(['b', 'g'], 'live')], 'off'],
      issues: [],
    },
    {
      says: 'of an attribute that can be a list',
      before: [
        [
          ['a', [about(['x'], { attribute: 'plan' })], 'off'],
          ['p', [about(['y'], { attribute: 'plan' })], 'live'],
        ],
        'live',
      ],
      after: [
        [
          ['p', [about(['y'], { attribute: 'plan' })], 'live'],
          ['a', [about(['x'], { attribute: 'plan' })], 'off'],
        ],
        'live',
      ],
      issues: ['a: p new'],
    },
    {
      says: 'so that a value is a number',
      before: [[keys(['1'], 'off')], 'live'],
      after: [[['beta', [about([1])], 'off']], 'live'],
      issues: ['beta: fallthrough new'],
    },
  ])('$says', run)
})

describe('a cohort that goes from stage to stage itself', () => {
  const step = (from: Shares | MigrationStage, to: Shares | MigrationStage, issues: readonly string[]): Case => ({
    says: `${JSON.stringify(from)} to ${JSON.stringify(to)}`,
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
  ])('$says', run)

  it('can mean the default rule', () =>
    run({
      says: '',
      before: [[beta('off')], 'off'],
      after: [[beta('off')], 'live'],
      issues: ['fallthrough: fallthrough new'],
    }))

  it('does not matter where nobody is in it', () =>
    run({
      says: '',
      before: [[wide('off'), wide2('off')], 'off'],
      after: [[wide('off'), wide2('live')], 'off'],
      issues: [],
    }))
  const wide2 = (shares: Shares | MigrationStage): RuleText => [
    'wide2',
    [about(['eu'], { attribute: 'region' })],
    shares,
  ]

  it.each([
    ['kind', { contextKind: 'user' }],
    ['attribute', { bucketBy: 'region' }],
  ])('loses its places when another %s is drawn by', (_, more) => {
    const shares = { off: 50, live: 50 }
    const before = targeting(6, [], shares)
    const after = { ...before, fallthrough: rollout(6, shares, more) }
    expect(short(6, before, after)).toEqual(['fallthrough: fallthrough new'])
    expect(short(6, before, { ...before, fallthrough: rollout(6, shares, { bucketBy: 'key' }) })).toEqual([])
  })

  it('can serve one stage without a rollout', () => {
    const before: MigrationTargeting = { on: true, rules: [], fallthrough: { variation: 0 } }
    expect(short(6, before, { ...before, fallthrough: { variation: 3 } })).toEqual(['fallthrough: fallthrough new'])
  })
})

describe('a flag that is turned', () => {
  it.each<Case>([
    { says: 'on, all of it off', before: [nobody, 'off', { on: false }], after: [nobody, 'off'], issues: [] },
    { says: 'on at dualwrite', before: [nobody, 'dualwrite', { on: false }], after: [nobody, 'dualwrite'], issues: [] },
    {
      says: 'on at live',
      before: [[beta('live')], 'off', { on: false }],
      after: [[beta('live')], 'off'],
      issues: ['beta: beta new'],
    },
    {
      says: 'on with a new rule',
      before: [nobody, 'off', { on: false }],
      after: [[beta('live')], 'off'],
      issues: ['beta: fallthrough new'],
    },
    { says: 'off at live', before: [[beta('live')], 'off'], after: [[beta('live')], 'off', { on: false }], issues: [] },
    {
      says: 'off at complete',
      before: [[beta('complete')], 'live'],
      after: [[beta('complete')], 'live', { on: false }],
      issues: ['beta: beta old'],
    },
    {
      says: 'neither on nor off, and gets a rule',
      before: [nobody, 'off', { on: false }],
      after: [[beta('live')], 'off', { on: false }],
      issues: ['beta: fallthrough new'],
    },
  ])('$says', run)
})

describe('a flag of two or four stages', () => {
  const two = { stages: 2 } as const
  const four = { stages: 4 } as const
  const waiting = { prerequisites: [{ key: 'base', variation: 1 }] }
  it.each<Case>([
    {
      says: 'a rule at complete is added',
      ...two,
      before: [nobody, 'off'],
      after: [[beta('complete')], 'off'],
      issues: [],
    },
    {
      says: 'a rule at off is added',
      ...two,
      before: [nobody, 'complete'],
      after: [[beta('off')], 'complete'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'a rule at complete is removed',
      ...two,
      before: [[beta('complete')], 'off'],
      after: [nobody, 'off'],
      issues: ['beta: fallthrough old'],
    },
    {
      says: 'a rule at off is removed',
      ...two,
      before: [[beta('off')], 'complete'],
      after: [nobody, 'complete'],
      issues: [],
    },
    { says: 'its default rule goes on', ...two, before: [nobody, 'off'], after: [nobody, 'complete'], issues: [] },
    {
      says: 'its default rule goes back',
      ...two,
      before: [nobody, 'complete'],
      after: [nobody, 'off'],
      issues: ['fallthrough: fallthrough old'],
    },
    {
      says: 'a smaller share is complete',
      ...two,
      before: [nobody, { off: 20, complete: 80 }],
      after: [nobody, { off: 30, complete: 70 }],
      issues: ['fallthrough: fallthrough old'],
    },
    { says: 'a rule at live is added', ...four, before: [nobody, 'off'], after: [[beta('live')], 'off'], issues: [] },
    { says: 'its default rule skips a stage', ...four, before: [nobody, 'off'], after: [nobody, 'live'], issues: [] },
    {
      says: 'its default rule goes back from complete',
      ...four,
      before: [nobody, 'complete'],
      after: [nobody, 'shadow'],
      issues: ['fallthrough: fallthrough old'],
    },
    {
      says: 'a rule is moved behind one at live',
      ...four,
      before: [[wide('complete'), beta('live')], 'off'],
      after: [[beta('live'), wide('complete')], 'off'],
      issues: ['wide: beta old'],
    },
    {
      says: 'a prerequisite is added',
      ...four,
      before: [[beta('complete')], 'live'],
      after: [[beta('complete')], 'live', waiting],
      issues: ['beta: beta old'],
    },
    {
      says: 'a prerequisite is removed',
      ...four,
      before: [[beta('complete')], 'live', waiting],
      after: [[beta('complete')], 'live'],
      issues: [],
    },
    {
      says: 'a prerequisite stays',
      ...four,
      before: [[beta('complete')], 'live', waiting],
      after: [[beta('complete')], 'live', waiting],
      issues: [],
    },
    {
      says: 'a prerequisite wants another variation',
      ...four,
      before: [nobody, 'complete', waiting],
      after: [nobody, 'complete', { prerequisites: [{ key: 'base', variation: 0 }] }],
      issues: ['fallthrough: fallthrough old'],
    },
    {
      says: 'it is turned off at complete',
      ...four,
      before: [nobody, 'complete'],
      after: [nobody, 'complete', { on: false }],
      issues: ['fallthrough: fallthrough old'],
    },
    {
      says: 'it is turned on at live',
      ...four,
      before: [nobody, 'live', { on: false }],
      after: [nobody, 'live'],
      issues: [],
    },
  ])('$says', run)
})

describe('an issue', () => {
  const only = (before: Case['before'], after: Case['after']) => {
    const issues = migrationSafetyIssues(6, targeting(6, ...before), targeting(6, ...after))
    expect(issues).toHaveLength(1)
    return issues[0]?.issue
  }
  const missing = 'where they read from the new system without having been backfilled.'
  const stale = 'where they read from the old system, which has missed what was written since they are at complete.'

  it('says in one sentence what was done, to whom, and what comes of it', () => {
    expect(only([nobody, 'off'], [[beta('live')], 'off'])).toBe(
      `Adding rule 1 (beta) moves contexts from the default rule into it, ${missing}`,
    )
    expect(only([[beta('complete')], 'live'], [nobody, 'live'])).toBe(
      `Removing rule 1 (beta) moves contexts out of it to the default rule, ${stale}`,
    )
    expect(only([[wide('off'), beta('live')], 'off'], [[beta('live'), wide('off')], 'off'])).toBe(
      `Moving rule 2 (wide) moves contexts out of it to rule 1 (beta), ${missing}`,
    )
    expect(only([[beta('live')], 'off'], [[['beta', ['b', 'c'], 'live']], 'off'])).toBe(
      `Changing the clauses of rule 1 (beta) moves contexts from the default rule into it, ${missing}`,
    )
    expect(only([nobody, 'off'], [nobody, 'live'])).toBe(
      'Changing the rollout of the default rule takes contexts from off to a stage that reads from the new system, which nothing of theirs was written to.',
    )
    expect(only([nobody, 'complete'], [nobody, 'complete', { on: false }])).toBe(
      'Turning the flag off takes contexts of the default rule from complete back to a stage that reads from the old system, which has missed what was written since.',
    )
  })

  it('calls a rule by its description, unless that is long', () => {
    const described = (description: string) => {
      const { rules, ...rest } = targeting(6, [beta('live')], 'off')
      const after = { ...rest, rules: rules.map((rule) => ({ ...rule, description })) }
      return migrationSafetyIssues(6, targeting(6, [], 'off'), after)[0]?.issue
    }
    expect(described('Beta users')).toContain('Adding the rule "Beta users" moves')
    expect(described('x'.repeat(81))).toContain('Adding rule 1 (beta) moves')
  })

  it('names five cohorts at most', () => {
    const many = Array.from({ length: 7 }, (_, at): RuleText => [`r${at}`, [`k${at}`], 'off'])
    expect(only([many, 'live'], [[wide('live'), ...many], 'live'])).toContain(
      'from rule 1 (r0), rule 2 (r1), rule 3 (r2), rule 4 (r3), rule 5 (r4) and 2 more into it',
    )
  })
})

describe('much to compare', () => {
  it('is given up in time, and then everything counts as possible', () => {
    const keys = (from: number) => Array.from({ length: 100 }, (_, at) => `k${from}-${at}`)
    const rules = (name: string, shares: MigrationStage) =>
      Array.from({ length: 300 }, (_, at): RuleText => [`${name}${at}`, keys(at), shares])
    const before = targeting(6, rules('a', 'off'), 'off')
    const issues = migrationSafetyIssues(6, before, targeting(6, rules('b', 'live'), 'off'))
    expect(issues.map(({ causingRuleId }) => causingRuleId)).toEqual(rules('b', 'live').map(([id]) => id))
  }, 10_000)

  it('is quick where one rule of thousands changes', () => {
    const rules = Array.from({ length: 2000 }, (_, at): RuleText => [`r${at}`, [`k${at}`], 'off'])
    const before = targeting(6, rules, 'off')
    expect(short(6, before, targeting(6, [wide('live'), ...rules], 'off'))).toHaveLength(1)
  }, 10_000)
})
