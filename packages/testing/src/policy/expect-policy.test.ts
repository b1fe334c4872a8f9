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

/** Returns name and message of the error that a function throws, as test runners show it. */
function errorText(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`
  }
  return 'no error was thrown'
}

describe('expectations about one resource', () => {
  it('can be chained', () => {
    expectPolicy(developer)
      .can('updateOn', 'proj/web:env/production:flag/checkout')
      .cannot('updateOn', 'proj/web:env/production:flag/billing-vat')
      .cannot('updateOn', 'proj/shop:env/test:flag/checkout')
      .cannot('deleteFlag', 'proj/web:env/test:flag/checkout')
  })

  it('give the resource exactly the tags, properties and views in its specifier and in the attributes', () => {
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

  it('combine several policies of one caller and use role attributes', () => {
    const attributePolicy: Statement[] = [
      { effect: 'allow', resources: ['proj/${roleAttribute/project}:env/*:flag/*'], actions: ['updateOn'] },
    ]
    expectPolicy([developer, attributePolicy], { roleAttributes: { project: ['shop'] } })
      .can('updateOn', 'proj/web:env/test:flag/a')
      .can('updateOn', 'proj/shop:env/test:flag/a')
      .cannot('updateOn', 'proj/api:env/test:flag/a')
    expectPolicy(attributePolicy).cannot('updateOn', 'proj/shop:env/test:flag/a')
    expectPolicy([]).cannot('updateOn', 'proj/shop:env/test:flag/a')
  })
})

describe('a PolicyError', () => {
  it('names the statement that denies the action', () => {
    const failing = () => expectPolicy(developer).can('updateOn', 'proj/web:env/production:flag/billing-vat')
    expect(errorText(failing)).toBe(
      [
        'PolicyError: `developer` should allow `updateOn` on `proj/web:env/production:flag/billing-vat`',
        '  but denied by statement 2 of role `developer`',
        '  {"effect":"deny","resources":["proj/web:env/production:flag/billing-*"],"actions":["*"]}',
      ].join('\n'),
    )
  })

  it('contains what would allow the action', () => {
    const failing = () => expectPolicy(developer).can('updateRules', 'proj/web:env/test:segment/staff')
    expect(errorText(failing)).toContain('would be allowed if segment `staff` had the tag `beta`')
  })

  it('names the statement that allows the action', () => {
    const failing = () => expectPolicy(developer).cannot('updateOn', 'proj/web:env/test:flag/checkout')
    expect(errorText(failing)).toBe(
      [
        'PolicyError: `developer` should not allow `updateOn` on `proj/web:env/test:flag/checkout`',
        '  but statement 1 of role `developer` allows `updateOn` on `proj/web:env/test:flag/checkout`',
        '  {"effect":"allow","resources":["proj/web:env/*:flag/*"],"actions":["updateOn","updateRules"]}',
      ].join('\n'),
    )
  })

  it('has a stack that starts at the line of the test', () => {
    let stack = ''
    try {
      expectPolicy(developer).can('deleteFlag', 'proj/web:env/test:flag/a')
    } catch (error) {
      stack = (error as Error).stack ?? ''
    }
    expect(stack.split('\n').find((line) => /^\s+at /.test(line))).toContain('expect-policy.test.ts')
  })
})

describe('expectations about every resource (`*`)', () => {
  it('can() passes only when the action is allowed on every resource', () => {
    expectPolicy(developer)
      .can('updateOn', 'proj/web:env/test:flag/*')
      .cannotEvery('updateOn', 'proj/web:env/production:flag/*')
      .cannotEvery('updateOn', 'proj/*:env/test:flag/*')
    const failing = () => expectPolicy(developer).can('updateOn', 'proj/web:env/production:flag/*')
    expect(errorText(failing)).toContain('should allow `updateOn` on every `proj/web:env/production:flag/*`')
    expect(errorText(failing)).toContain('denied by statement 2 of role `developer`')
    expect(errorText(failing)).toContain(
      'though statement 1 of role `developer` allows `updateOn` on `proj/web:env/production:flag/…`',
    )
  })

  it('cannot() fails when the action is allowed on one resource', () => {
    const failing = () => expectPolicy(developer).cannot('updateOn', 'proj/web:env/production:flag/*')
    expect(errorText(failing)).toContain('should not allow `updateOn` on any `proj/web:env/production:flag/*`')
    expect(errorText(failing)).toContain('statement 1 of role `developer` allows')
    expectPolicy(developer).cannot('deleteFlag', 'proj/web:env/*:flag/*').cannot('updateOn', 'proj/shop:env/*:flag/*')
  })

  it('cannot() fails when the action is allowed on a resource with a certain tag', () => {
    const failing = () => expectPolicy(developer).cannot('updateRules', 'proj/web:env/test:segment/*')
    expect(errorText(failing)).toContain('should not allow `updateRules` on any')
    expectPolicy(developer)
      .can('updateRules', 'proj/web:env/test:segment/*;beta')
      .cannotEvery('updateRules', 'proj/web:env/test:segment/*')
      .cannot('updateRules', 'proj/web:env/production:segment/*')
  })

  it('a resource that the expectation names by its key has only the tags that the expectation gives it', () => {
    const policy: Statement[] = [{ effect: 'allow', resources: ['proj/*:env/*;qa:flag/*'], actions: ['updateOn'] }]
    expectPolicy(policy).cannot('updateOn', 'proj/web:env/test:flag/*').can('updateOn', 'proj/web:env/test;qa:flag/*')
    expect(errorText(() => expectPolicy(policy).cannot('updateOn', 'proj/web:env/*:flag/a'))).toContain('on any')
  })

  it('cannot() fails when a deny with notResources excludes an allowed resource', () => {
    const policy: Statement[] = [
      { effect: 'allow', resources: ['proj/web:env/test:flag/*'], actions: ['updateOn'] },
      { effect: 'deny', notResources: ['proj/*:env/*:flag/beta-*'], actions: ['updateOn'] },
    ]
    expect(errorText(() => expectPolicy(policy).cannot('updateOn', 'proj/web:env/test:flag/*'))).toContain(
      'flag/beta-…',
    )
    expectPolicy(policy).cannot('updateOn', 'proj/web:env/production:flag/*')
  })
})

describe('table()', () => {
  const rows: PolicyRow[] = [
    ['updateOn', 'proj/web:env/test:flag/*', 'can'],
    ['updateOn', 'proj/web:env/production:flag/billing-vat', 'can'],
    ['deleteFlag', 'proj/web:env/*:flag/*', 'cannot'],
    ['updateRules', 'proj/web:env/test:segment/staff', 'cannot', { tags: ['beta'] }],
    ['updateOn', 'proj/web:env/*:flag/*', 'cannotEvery'],
  ]

  it('reports all wrong rows in one error', () => {
    const message = errorText(() => expectPolicy(developer).table(rows))
    expect(message).toContain('PolicyError: 2 of 5 rows are wrong')
    expect(message.match(/row \d/g)).toEqual(['row 2', 'row 4'])
    expect(message).toContain('denied by statement 2 of role `developer`')
    expect(message).toContain('statement 3 of role `developer` allows')
  })

  it('passes when all rows are right, and can be chained', () => {
    const passingRows = rows.filter((_, index) => index !== 1 && index !== 3)
    expectPolicy(developer).table(passingRows).can('updateOn', 'proj/web:env/test:flag/a')
  })

  it('throws a TypeError for an empty table or an unknown verdict', () => {
    expect(() => expectPolicy(developer).table([])).toThrow(TypeError)
    const invalidRows = [['updateOn', 'proj/web:env/test:flag/*', 'may']] as never
    expect(() => expectPolicy(developer).table(invalidRows)).toThrow('`may` is not a verdict')
  })
})

describe('an invalid query', () => {
  it.each([
    [
      'updateOnn',
      'proj/web:env/test:flag/a',
      '`updateOnn` is not an action of `flag`, whose actions include `updateOn`',
    ],
    ['updateOn', 'proj/web:env/test:segment/a', '`updateOn` is not an action of `segment`'],
    ['updateOn', 'proj/web:flag/a', '`proj/*:env/*:flag/*`'],
    ['updateOn', 'proj/web:env/test:flagg/a', 'unknown resource kind `flagg`'],
    ['updateOn', 'proj/web:env/test:flag/check-*', '`check-*` is a pattern'],
    ['updateOn', 'proj/web:env/test:flag/a;beta-*', '`beta-*` is a pattern'],
    ['updateOn', 'proj/${roleAttribute/project}:env/test:flag/a', 'is a pattern'],
  ])('throws a TypeError instead of being denied: %s on %s', (action, resource, reason) => {
    expect(() => expectPolicy(developer).cannot(action, resource)).toThrow(TypeError)
    expect(() => expectPolicy(developer).cannot(action, resource)).toThrow(reason)
  })

  it('throws an error that names each invalid part of a policy', () => {
    const source = { name: 'ops', policy: [{ effect: 'permit', resources: ['prj/*'], actions: ['*'] }] } as never
    expect(() => expectPolicy(source)).toThrow('`ops` [0].effect must be `allow` or `deny`')
    expect(() => expectPolicy(source)).toThrow('`ops` [0].resources[0]')
    expect(() => expectPolicy(undefined as never)).toThrow('not a policy')
  })
})

describe('coverage and explanations', () => {
  it('coverage counts the statements that decide', () => {
    const coverage = policyCoverage(developer)
    expectPolicy(developer, { coverage })
      .can('updateOn', 'proj/web:env/test:flag/a')
      .cannot('updateOn', 'proj/web:env/production:flag/billing-vat')
    expect(coverage.untested().map(({ index }) => index)).toEqual([2])
  })

  it('explainPolicy explains a decision without an expectation', () => {
    const query = { action: 'updateRules', resource: 'proj/web:env/test:segment/staff' }
    expect(explainPolicy(developer, query)).toMatchObject({
      allowed: false,
      nearMisses: ['would be allowed if segment `staff` had the tag `beta`'],
    })
    expect(explainPolicy(developer, { ...query, tags: ['beta'] })).toMatchObject({ allowed: true, index: 2 })
  })
})

describe('properties of expectations about every resource', () => {
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

  // Keys and tags of which each name above matches some, but not all.
  const keys = ['a', 'b', 'ab', 'abz', 'azb', 'aaz', 'zb', 'c', 'cz', 'czb', 'z', 'abzb']
  const tags = [[], ['t'], ['u'], ['t', 'u']]
  const levels = (kind: string) => keys.flatMap((key) => tags.map((tagList) => ({ kind, key, tags: tagList })))
  const flags: Resource[] = levels('flag').map((flag) => [
    { kind: 'proj', key: 'p' },
    { kind: 'env', key: 'a', tags: [] },
    flag,
  ])
  const environmentResources: Resource[] = levels('env').map((env) => [
    { kind: 'proj', key: 'p' },
    env,
    { kind: 'flag', key: 'ab', tags: ['t'] },
  ])

  it.each([
    ['proj/p:env/a:flag/*', flags],
    ['proj/p:env/*:flag/ab;t', environmentResources],
  ])('cannot() passes for %s exactly when the action is denied on each single resource', (resourceText, resources) => {
    const passes = (source: Statement[]) =>
      !errorText(() => expectPolicy(source).cannot('updateOn', resourceText)).includes('PolicyError')
    fc.assert(
      fc.property(policy, (source) => {
        const compiled = compilePolicy([compileRole({ name: 'r', statements: source })])
        const allDenied = resources.every((resource) => !decide(compiled, 'updateOn', resource).allowed)
        expect(passes(source)).toBe(allDenied)
      }),
    )
  })

  it('can() passes only when the action is allowed on each resource, and cannot() and cannotEvery() then fail', () => {
    const passes = (work: () => unknown) => !errorText(work).includes('PolicyError')
    fc.assert(
      fc.property(policy, (source) => {
        const compiled = compilePolicy([compileRole({ name: 'r', statements: source })])
        const resourceText = 'proj/p:env/a:flag/*'
        fc.pre(passes(() => expectPolicy(source).can('updateOn', resourceText)))
        expect(flags.every((resource) => decide(compiled, 'updateOn', resource).allowed)).toBe(true)
        expect(passes(() => expectPolicy(source).cannot('updateOn', resourceText))).toBe(false)
        expect(passes(() => expectPolicy(source).cannotEvery('updateOn', resourceText))).toBe(false)
      }),
    )
  })
})
