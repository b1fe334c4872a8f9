import {
  actionsOf,
  baseRoles,
  compilePolicy,
  compileRole,
  decide,
  parseAddress,
  type Resource,
  type Statement,
} from '@halyard/core/policy'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type PolicyVocabulary, policies } from '../arbitraries/index.ts'
import { type LintRule, lintPolicy } from './lint.ts'

const allow = (actions: string[], ...resources: string[]): Statement => ({ effect: 'allow', actions, resources })
const deny = (actions: string[], ...resources: string[]): Statement => ({ effect: 'deny', actions, resources })

/** Returns the indexes of the statements that a rule reports. */
function findingIndexes(
  rule: LintRule,
  policy: readonly Statement[],
  existingResources?: readonly Resource[],
): number[] {
  return lintPolicy(policy, { allResources: existingResources }).flatMap((finding) =>
    finding.rule === rule ? [finding.index] : [],
  )
}

const resourcesAt = (...addresses: string[]) => addresses.map((address) => parseAddress(address) as Resource)

const flags = 'proj/*:env/*:flag/*'

it('lintPolicy reports nothing for a policy without redundant or wide entries', () => {
  const policy = [
    allow(['viewProject'], 'proj/*'),
    allow(['*'], 'proj/web:env/*:flag/*'),
    deny(['delete*', 'updateOn'], 'proj/*:env/production:flag/*'),
  ]
  expect(
    lintPolicy(policy, { allResources: resourcesAt('proj/web', 'proj/web:env/production:flag/checkout') }),
  ).toEqual([])
})

it.each(Object.entries(baseRoles))('lintPolicy reports nothing for the base role %s', (_, policy) => {
  expect(lintPolicy(policy)).toEqual([])
})

describe('never-wins', () => {
  it('reports an allow that a deny covers, in any order', () => {
    expect(
      findingIndexes('never-wins', [allow(['updateOn'], 'proj/web:env/test:flag/a'), deny(['update*'], flags)]),
    ).toEqual([0])
    expect(findingIndexes('never-wins', [deny(['*'], flags), allow(['updateOn'], flags)])).toEqual([1])
  })

  it('reports an allow that several denies cover together, and names them', () => {
    const policy = [allow(['updateOn', 'deleteFlag'], flags), deny(['updateOn'], flags), deny(['delete*'], flags)]
    expect(lintPolicy(policy)).toEqual([
      { rule: 'never-wins', index: 0, message: 'statements 2, 3 together deny everything that this statement allows' },
    ])
  })

  it.each<[string, Statement[]]>([
    ['another environment', [allow(['updateOn'], flags), deny(['*'], 'proj/*:env/production:flag/*')]],
    ['another level', [allow(['viewProject'], 'proj/*'), deny(['*'], 'proj/*:env/*')]],
    ['another action', [allow(['updateOn', 'updateName'], flags), deny(['updateOn'], flags)]],
    ['tagged resources only', [allow(['*'], flags), deny(['*'], 'proj/*:env/*:flag/*;beta')]],
    ['critical environments only', [allow(['*'], flags), deny(['*'], 'proj/*:env/*;{critical:true}:flag/*')]],
    ['another property', [allow(['*'], 'proj/*:env/*;{dev:true}'), deny(['*'], 'proj/*:env/*;{critical:true}')]],
    ['resources of a view', [allow(['*'], flags), deny(['*'], 'proj/*:env/*:flag/*;view:checkout')]],
    ['a longer name', [allow(['*'], 'proj/ab*'), deny(['*'], 'proj/ab*c')]],
    [
      'the value of a placeholder, which is unknown',
      [allow(['*'], 'proj/web'), deny(['*'], 'proj/${roleAttribute/own}')],
    ],
    [
      'everything except the resource',
      [allow(['*'], 'proj/web'), { effect: 'deny', notResources: ['proj/web'], actions: ['*'] }],
    ],
  ])('does not report an allow when the deny applies to %s', (_, policy) => {
    expect(findingIndexes('never-wins', policy)).toEqual([])
  })

  it('compares placeholders, tags and excluded resources and actions', () => {
    const ownSpecifier = 'proj/${roleAttribute/own}'
    expect(
      findingIndexes('never-wins', [allow(['*'], `${ownSpecifier}-web`), deny(['*'], `${ownSpecifier}*`)]),
    ).toEqual([0])
    expect(findingIndexes('never-wins', [allow(['*'], 'proj/*;a,b'), deny(['*'], 'proj/*;b')])).toEqual([0])
    const allButTeams: Statement = { effect: 'deny', notResources: ['team/*'], notActions: ['viewTeam'] }
    expect(findingIndexes('never-wins', [allow(['*'], 'proj/web'), allow(['*'], 'team/a'), allButTeams])).toEqual([0])
  })
})

describe('repeats', () => {
  it('reports the narrower statement, and the later of two equal ones', () => {
    expect(lintPolicy([allow(['updateOn'], 'proj/a:env/b:flag/c'), allow(['update*'], flags)])).toEqual([
      { rule: 'repeats', index: 0, message: 'statement 2 covers everything that this statement covers' },
    ])
    expect(findingIndexes('repeats', [deny(['*'], 'team/*'), deny(['*'], 'team/*')])).toEqual([1])
  })

  it('does not report a deny that an allow includes', () => {
    expect(findingIndexes('repeats', [allow(['*'], 'team/*'), deny(['updateTeamName'], 'team/*')])).toEqual([])
  })

  it('reports an entry that occurs twice in a list', () => {
    const [finding] = lintPolicy([allow(['viewTeam', 'viewTeam'], 'team/*')])
    expect(finding).toEqual({ rule: 'repeats', index: 0, message: '`viewTeam` occurs more than once in `actions`' })
  })
})

describe('matches-nothing', () => {
  it('reports a misspelled action, also in notActions', () => {
    expect(lintPolicy([allow(['viewTeam', 'updateTeamNme'], 'team/*')])).toEqual([
      { rule: 'matches-nothing', index: 0, message: '`updateTeamNme` is not an action, so it never applies' },
    ])
    expect(
      findingIndexes('matches-nothing', [{ effect: 'deny', resources: ['team/*'], notActions: ['vewTeam'] }]),
    ).toEqual([0])
  })

  it('reports an action of another kind', () => {
    expect(lintPolicy([allow(['viewProject', 'updateOn'], 'proj/*')])).toEqual([
      { rule: 'matches-nothing', index: 0, message: '`updateOn` is not an action of proj, so it never applies' },
    ])
  })

  it('reports a specifier to which no action of the statement applies', () => {
    expect(lintPolicy([allow(['updateOn'], 'proj/*', flags)])).toEqual([
      { rule: 'matches-nothing', index: 0, message: 'no action of the statement applies to `proj/*`' },
    ])
  })

  it('reports a resource that does not exist, when the call lists the existing resources', () => {
    const policy = [allow(['*'], 'proj/web', 'proj/wbe', 'proj/${roleAttribute/own}')]
    expect(lintPolicy(policy)).toEqual([])
    expect(lintPolicy(policy, { allResources: resourcesAt('proj/web') })).toEqual([
      { rule: 'matches-nothing', index: 0, message: '`proj/wbe` names nothing that exists' },
    ])
  })

  it('accepts a specifier that matches one of the resources that `*` represents', () => {
    const policy = [allow(['*'], 'proj/web:env/production:flag/a')]
    expect(lintPolicy(policy, { allResources: resourcesAt('proj/web:env/*:flag/a') })).toEqual([])
  })
})

describe('wide-wildcard', () => {
  it('reports a wildcard that includes other entries of its list', () => {
    expect(lintPolicy([allow(['*'], 'proj/*', 'proj/web', 'team/a')])).toEqual([
      { rule: 'wide-wildcard', index: 0, message: '`proj/*` includes `proj/web` in the same list, and more' },
    ])
    expect(lintPolicy([allow(['update*', 'updateOn', 'viewFlagStatus'], flags)])).toEqual([
      { rule: 'wide-wildcard', index: 0, message: '`update*` includes `updateOn` in the same list, and more' },
    ])
  })

  it('does not report wildcards that overlap only partly', () => {
    expect(lintPolicy([allow(['*'], 'proj/a*', 'proj/*b')])).toEqual([])
  })
})

describe('tag-widens', () => {
  const taggedSpecifier = 'proj/*:env/*;production:flag/*'

  it.each<[string, Statement, string]>([
    ['an allow', allow(['*'], taggedSpecifier), 'gains the permission by adding the tag'],
    ['a deny', deny(['*'], taggedSpecifier), 'avoids the denial by removing the tag'],
    [
      'an allow with notResources',
      { effect: 'allow', notResources: [taggedSpecifier], actions: ['*'] },
      'avoids the denial by removing the tag',
    ],
    [
      'a deny with notResources',
      { effect: 'deny', notResources: [taggedSpecifier], actions: ['*'] },
      'gains the permission by adding the tag',
    ],
  ])('warns about %s that depends on a tag', (_, statement, consequence) => {
    const message = `depends on a tag of env: a caller that may \`updateTags\` there ${consequence}`
    expect(lintPolicy([statement])).toEqual([{ rule: 'tag-widens', index: 0, message }])
  })
})

it('lintPolicy throws a TypeError for a statement that is not well-formed', () => {
  expect(() => lintPolicy([allow(['*'], 'nowhere/*')])).toThrow(TypeError)
})

describe('statements that are reported as redundant', () => {
  const vocabulary: PolicyVocabulary = {
    shapes: ['proj', 'proj:env', 'proj:env:flag'],
    keys: ['a', 'b', 'ab'],
    tags: ['a', 'b'],
    roleAttributes: ['own'],
  }
  const callers = [{}, { roleAttributes: { own: ['a'] } }, { roleAttributes: { own: ['b', 'ab', 'a*'] } }]

  /** All resources of a small account, including those with the key `*`, and a few actions of each kind. */
  const levelsOf = (kind: string) => [
    { kind, key: 'a' },
    { kind, key: 'b', tags: ['a'] },
    { kind, key: 'ab', tags: ['b', 'a'], properties: { critical: true } },
    { kind, key: '*' },
    { kind, key: '*', tags: ['b'], properties: { critical: true } },
  ]
  const childrenOf = (parents: readonly Resource[], kind: string): Resource[] =>
    parents.flatMap((parent) => levelsOf(kind).map((level) => [...parent, level]))
  const projects = childrenOf([[]], 'proj')
  const environments = childrenOf(projects, 'env')
  const allResources = [...projects, ...environments, ...childrenOf(environments, 'flag')]
  const sampleActions = (kind: string) => actionsOf(kind).filter((_, index) => index % 5 === 0)
  const queries = allResources.flatMap((resource) =>
    sampleActions(resource.at(-1)?.kind ?? '').map((action) => ({ action, resource })),
  )

  const decisionsOf = (statements: readonly Statement[], caller: object) => {
    const policy = compilePolicy([compileRole({ name: 'any', statements }, caller)])
    return queries.map(({ action, resource }) => decide(policy, action, resource))
  }

  /** Policies with few distinct statements, so that many statements are redundant. */
  const redundantPolicies = fc
    .array(policies(vocabulary), { minLength: 2, maxLength: 5 })
    .map((policyList) => policyList.flat())

  it('decide no query, and removing all of them changes no decision', () => {
    const counts = { 'never-wins': 0, repeats: 0 }
    fc.assert(
      fc.property(redundantPolicies, fc.constantFrom(...callers), (statements, caller) => {
        const redundant = new Set<number>()
        const neverWins = new Set<number>()
        for (const { rule, index, message } of lintPolicy(statements)) {
          // An entry that occurs twice does not make its statement redundant.
          if (rule === 'never-wins') neverWins.add(index)
          if (
            rule === 'never-wins' ||
            (rule === 'repeats' && message.endsWith('everything that this statement covers'))
          ) {
            redundant.add(index)
            counts[rule]++
          }
        }
        const decisions = decisionsOf(statements, caller)
        expect(decisions.filter(({ allowed, index }) => allowed && neverWins.has(index ?? -1))).toEqual([])
        const remainingDecisions = decisionsOf(
          statements.filter((_, index) => !redundant.has(index)),
          caller,
        )
        expect(remainingDecisions.map(({ allowed }) => allowed)).toEqual(decisions.map(({ allowed }) => allowed))
      }),
      { numRuns: 300 },
    )
    // Without this check, a lint that reports nothing would also pass.
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(50)
  }, 60_000)

  it('match none of the existing resources when the report says so', () => {
    let counts = 0
    fc.assert(
      fc.property(policies(vocabulary), fc.subarray(allResources, { maxLength: 5 }), (statements, sampleResources) => {
        for (const { rule, index, message } of lintPolicy(statements, { allResources: sampleResources })) {
          const [, entry] = /^`(.*)` names nothing that exists$/.exec(message) ?? []
          if (rule !== 'matches-nothing' || entry === undefined) continue
          counts++
          const { resources = [], notResources = [] } = statements[index] as Statement
          expect([...resources, ...notResources]).toContain(entry)
          const policyOfEntry = compilePolicy([compileRole({ name: 'any', statements: [allow(['*'], entry)] })])
          expect(sampleResources.some((resource) => decide(policyOfEntry, 'viewProject', resource).allowed)).toBe(false)
        }
      }),
    )
    expect(counts).toBeGreaterThan(50)
  })
})
