import { compilePolicy, compileRole, decide, type Resource, type Statement } from '@halyard/core/policy'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectPolicy, explainPolicy, type PolicyRow, policyCoverage } from '../index.ts'

const developer = {
  name: 'developer',
  policy: [
    { effect: 'allow', resources: ['proj/web:env/*:flag/*'], actions: ['updateOn', 'updateRules'] },
    { effect: 'deny', resources: ['proj/web:env/production:flag/billing-*'], actions: ['*'] },
    { effect: 'allow', resources: ['proj/web:env/test:segment/*;beta'], actions: ['updateRules'] },
  ],
} satisfies { name: string; policy: Statement[] }

/** The message of what is thrown, and its name, as runners show it. */
function thrown(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`
  }
  return 'nothing was thrown'
}

describe('a thing', () => {
  it('can or cannot be changed, and one expectation follows another', () => {
    expectPolicy(developer)
      .can('updateOn', 'proj/web:env/production:flag/checkout')
      .cannot('updateOn', 'proj/web:env/production:flag/billing-vat')
      .cannot('updateOn', 'proj/shop:env/test:flag/checkout')
      .cannot('deleteFlag', 'proj/web:env/test:flag/checkout')
  })

  it('has the tags, properties and views that the text or the test gives it, and no other', () => {
    const source: Statement[] = [
      {
        effect: 'allow',
        resources: ['proj/web:env/*;{critical:false}:flag/*;beta;view:shop'],
        actions: ['updateOn'],
      },
    ]
    expectPolicy(source)
      .can('updateOn', 'proj/web:env/test;{critical:false}:flag/a;beta,old;view:shop')
      .can('updateOn', 'proj/web:env/test;{critical:false}:flag/a', { tags: ['beta'], views: ['shop'] })
      .can('updateOn', 'proj/web:env/test;{critical:false}:flag/a;beta', { views: ['shop'] })
      .cannot('updateOn', 'proj/web:env/test;{critical:true}:flag/a;beta;view:shop')
      .cannot('updateOn', 'proj/web:env/test:flag/a;beta;view:shop')
      .cannot('updateOn', 'proj/web:env/test;{critical:false}:flag/a;beta')
      .cannot('updateOn', 'proj/web:env/test;{critical:false}:flag/a', { views: ['shop'] })
    expectPolicy([{ effect: 'allow', resources: ['proj/*:env/*;{critical:true}'], actions: ['updateTtl'] }])
      .can('updateTtl', 'proj/web:env/production', { properties: { critical: true } })
      .cannot('updateTtl', 'proj/web:env/production', { properties: { critical: false } })
  })

  it('is judged by several policies of one caller together, and with role attributes', () => {
    const own: Statement[] = [
      { effect: 'allow', resources: ['proj/${roleAttribute/project}:env/*:flag/*'], actions: ['updateOn'] },
    ]
    expectPolicy([developer, own], { roleAttributes: { project: ['shop'] } })
      .can('updateOn', 'proj/web:env/test:flag/a')
      .can('updateOn', 'proj/shop:env/test:flag/a')
      .cannot('updateOn', 'proj/api:env/test:flag/a')
    expectPolicy(own).cannot('updateOn', 'proj/shop:env/test:flag/a')
    expectPolicy([]).cannot('updateOn', 'proj/shop:env/test:flag/a')
  })
})

describe('a failure', () => {
  it('names the statement that denies', () => {
    const failing = () => expectPolicy(developer).can('updateOn', 'proj/web:env/production:flag/billing-vat')
    expect(thrown(failing)).toBe(
      [
        'PolicyError: `developer` should allow `updateOn` on `proj/web:env/production:flag/billing-vat`',
        '  but denied by statement 2 of role `developer`',
        '  {"effect":"deny","resources":["proj/web:env/production:flag/billing-*"],"actions":["*"]}',
      ].join('\n'),
    )
  })

  it('names the nearest miss', () => {
    const failing = () => expectPolicy(developer).can('updateRules', 'proj/web:env/test:segment/staff')
    expect(thrown(failing)).toContain('would be allowed if segment `staff` had the tag `beta`')
  })

  it('names the statement that allows', () => {
    const failing = () => expectPolicy(developer).cannot('updateOn', 'proj/web:env/test:flag/checkout')
    expect(thrown(failing)).toBe(
      [
        'PolicyError: `developer` should not allow `updateOn` on `proj/web:env/test:flag/checkout`',
        '  but statement 1 of role `developer` allows `updateOn` on `proj/web:env/test:flag/checkout`',
        '  {"effect":"allow","resources":["proj/web:env/*:flag/*"],"actions":["updateOn","updateRules"]}',
      ].join('\n'),
    )
  })

  it('points at the line of the test', () => {
    let stack = ''
    try {
      expectPolicy(developer).can('deleteFlag', 'proj/web:env/test:flag/a')
    } catch (error) {
      stack = (error as Error).stack ?? ''
    }
    expect(stack.split('\n').find((line) => /^\s+at /.test(line))).toContain('expect-policy.test.ts')
  })
})

describe('every such thing', () => {
  it('can be changed only when each one can', () => {
    expectPolicy(developer)
      .can('updateOn', 'proj/web:env/test:flag/*')
      .cannotEvery('updateOn', 'proj/web:env/production:flag/*')
      .cannotEvery('updateOn', 'proj/*:env/test:flag/*')
    const failing = () => expectPolicy(developer).can('updateOn', 'proj/web:env/production:flag/*')
    expect(thrown(failing)).toContain('should allow `updateOn` on every `proj/web:env/production:flag/*`')
    expect(thrown(failing)).toContain('denied by statement 2 of role `developer`')
    expect(thrown(failing)).toContain(
      'though statement 1 of role `developer` allows `updateOn` on `proj/web:env/production:flag/…`',
    )
  })

  it('cannot be changed only when none can: what is allowed for one is found', () => {
    const failing = () => expectPolicy(developer).cannot('updateOn', 'proj/web:env/production:flag/*')
    expect(thrown(failing)).toContain('should not allow `updateOn` on any `proj/web:env/production:flag/*`')
    expect(thrown(failing)).toContain('statement 1 of role `developer` allows')
    expectPolicy(developer).cannot('deleteFlag', 'proj/web:env/*:flag/*').cannot('updateOn', 'proj/shop:env/*:flag/*')
  })

  it('cannot be changed when there is one with a tag that can', () => {
    const failing = () => expectPolicy(developer).cannot('updateRules', 'proj/web:env/test:segment/*')
    expect(thrown(failing)).toContain('should not allow `updateRules` on any')
    expectPolicy(developer)
      .can('updateRules', 'proj/web:env/test:segment/*;beta')
      .cannotEvery('updateRules', 'proj/web:env/test:segment/*')
      .cannot('updateRules', 'proj/web:env/production:segment/*')
  })

  it('has what it is asked with: a thing asked about by its key is not given tags', () => {
    const policy: Statement[] = [{ effect: 'allow', resources: ['proj/*:env/*;qa:flag/*'], actions: ['updateOn'] }]
    expectPolicy(policy).cannot('updateOn', 'proj/web:env/test:flag/*').can('updateOn', 'proj/web:env/test;qa:flag/*')
    expect(thrown(() => expectPolicy(policy).cannot('updateOn', 'proj/web:env/*:flag/a'))).toContain('on any')
  })

  it('is told from a part that a deny spares', () => {
    const policy: Statement[] = [
      { effect: 'allow', resources: ['proj/web:env/test:flag/*'], actions: ['updateOn'] },
      { effect: 'deny', notResources: ['proj/*:env/*:flag/beta-*'], actions: ['updateOn'] },
    ]
    expect(thrown(() => expectPolicy(policy).cannot('updateOn', 'proj/web:env/test:flag/*'))).toContain('flag/beta-…')
    expectPolicy(policy).cannot('updateOn', 'proj/web:env/production:flag/*')
  })
})

describe('a table', () => {
  const rows: PolicyRow[] = [
    ['updateOn', 'proj/web:env/test:flag/*', 'can'],
    ['updateOn', 'proj/web:env/production:flag/billing-vat', 'can'],
    ['deleteFlag', 'proj/web:env/*:flag/*', 'cannot'],
    ['updateRules', 'proj/web:env/test:segment/staff', 'cannot', { tags: ['beta'] }],
    ['updateOn', 'proj/web:env/*:flag/*', 'cannotEvery'],
  ]

  it('reports all wrong rows at once', () => {
    const message = thrown(() => expectPolicy(developer).table(rows))
    expect(message).toContain('PolicyError: 2 of 5 rows are wrong')
    expect(message.match(/row \d/g)).toEqual(['row 2', 'row 4'])
    expect(message).toContain('denied by statement 2 of role `developer`')
    expect(message).toContain('statement 3 of role `developer` allows')
  })

  it('passes when all rows are right, and can be followed', () => {
    const right = rows.filter((_, index) => index !== 1 && index !== 3)
    expectPolicy(developer).table(right).can('updateOn', 'proj/web:env/test:flag/a')
  })

  it('must have rows, and verdicts that exist', () => {
    expect(() => expectPolicy(developer).table([])).toThrow(TypeError)
    const misspelt = [['updateOn', 'proj/web:env/test:flag/*', 'may']] as never
    expect(() => expectPolicy(developer).table(misspelt)).toThrow('`may` is no verdict')
  })
})

describe('a question that makes no sense', () => {
  it.each([
    ['updateOnn', 'proj/web:env/test:flag/a', '`updateOnn` is no action on `flag`, which has `updateOn`'],
    ['updateOn', 'proj/web:env/test:segment/a', '`updateOn` is no action on `segment`'],
    ['updateOn', 'proj/web:flag/a', '`proj/*:env/*:flag/*`'],
    ['updateOn', 'proj/web:env/test:flagg/a', 'unknown resource kind `flagg`'],
    ['updateOn', 'proj/web:env/test:flag/check-*', '`check-*` is a pattern'],
    ['updateOn', 'proj/web:env/test:flag/a;beta-*', '`beta-*` is a pattern'],
    ['updateOn', 'proj/${roleAttribute/project}:env/test:flag/a', 'is a pattern'],
  ])('is refused, not denied: %s on %s', (action, resource, reason) => {
    expect(() => expectPolicy(developer).cannot(action, resource)).toThrow(TypeError)
    expect(() => expectPolicy(developer).cannot(action, resource)).toThrow(reason)
  })

  it('is refused of what is no policy, naming each part', () => {
    const source = { name: 'ops', policy: [{ effect: 'permit', resources: ['prj/*'], actions: ['*'] }] } as never
    expect(() => expectPolicy(source)).toThrow('`ops` [0].effect must be `allow` or `deny`')
    expect(() => expectPolicy(source)).toThrow('`ops` [0].resources[0]')
    expect(() => expectPolicy(undefined as never)).toThrow('not a policy')
  })
})

describe('coverage and explanations', () => {
  it('counts the statements that decide', () => {
    const coverage = policyCoverage(developer)
    expectPolicy(developer, { coverage })
      .can('updateOn', 'proj/web:env/test:flag/a')
      .cannot('updateOn', 'proj/web:env/production:flag/billing-vat')
    expect(coverage.untested().map(({ index }) => index)).toEqual([2])
  })

  it('explains without expecting', () => {
    const question = { action: 'updateRules', resource: 'proj/web:env/test:segment/staff' }
    expect(explainPolicy(developer, question)).toMatchObject({
      allowed: false,
      nearMisses: ['would be allowed if segment `staff` had the tag `beta`'],
    })
    expect(explainPolicy(developer, { ...question, tags: ['beta'] })).toMatchObject({ allowed: true, index: 2 })
  })
})

describe('the laws of every such thing', () => {
  const name = fc.constantFrom('*', 'a', 'b', 'ab', 'a*', '*b', 'ab*', 'c*')
  const tag = fc.constantFrom('', ';t', ';u')
  const specifier = fc
    .tuple(name, tag, name, tag)
    .map(([env, envTag, flag, flagTag]) => `proj/p:env/${env}${envTag}:flag/${flag}${flagTag}`)
  const list = fc.array(specifier, { minLength: 1, maxLength: 2 })
  const statement: fc.Arbitrary<Statement> = fc
    .tuple(fc.constantFrom('allow' as const, 'deny' as const), list, fc.boolean())
    .map(([effect, texts, negated]) => ({
      effect,
      ...(negated ? { notResources: texts } : { resources: texts }),
      actions: ['updateOn'],
    }))
  const policy = fc.array(statement, { minLength: 1, maxLength: 4 })

  // Enough keys and tags to be inside and outside of each of the names above.
  const keys = ['a', 'b', 'ab', 'abz', 'azb', 'aaz', 'zb', 'c', 'cz', 'czb', 'z', 'abzb']
  const tags = [[], ['t'], ['u'], ['t', 'u']]
  const levels = (kind: string) => keys.flatMap((key) => tags.map((some) => ({ kind, key, tags: some })))
  const flags: Resource[] = levels('flag').map((flag) => [
    { kind: 'proj', key: 'p' },
    { kind: 'env', key: 'a', tags: [] },
    flag,
  ])
  const everywhere: Resource[] = levels('env').map((env) => [
    { kind: 'proj', key: 'p' },
    env,
    { kind: 'flag', key: 'ab', tags: ['t'] },
  ])

  it.each([
    ['proj/p:env/a:flag/*', flags],
    ['proj/p:env/*:flag/ab;t', everywhere],
  ])('cannot is true of %s exactly when each single one is denied', (asked, things) => {
    const passes = (source: Statement[]) =>
      !thrown(() => expectPolicy(source).cannot('updateOn', asked)).includes('PolicyError')
    fc.assert(
      fc.property(policy, (source) => {
        const compiled = compilePolicy([compileRole({ name: 'r', statements: source })])
        const none = things.every((thing) => !decide(compiled, 'updateOn', thing).allowed)
        expect(passes(source)).toBe(none)
      }),
    )
  })

  it('can implies each single one, and leaves cannot and cannotEvery false', () => {
    const passes = (work: () => unknown) => !thrown(work).includes('PolicyError')
    fc.assert(
      fc.property(policy, (source) => {
        const compiled = compilePolicy([compileRole({ name: 'r', statements: source })])
        const asked = 'proj/p:env/a:flag/*'
        fc.pre(passes(() => expectPolicy(source).can('updateOn', asked)))
        expect(flags.every((thing) => decide(compiled, 'updateOn', thing).allowed)).toBe(true)
        expect(passes(() => expectPolicy(source).cannot('updateOn', asked))).toBe(false)
        expect(passes(() => expectPolicy(source).cannotEvery('updateOn', asked))).toBe(false)
      }),
    )
  })
})
