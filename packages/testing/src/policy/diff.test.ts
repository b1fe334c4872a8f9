import { actionsOf, addressOf, compilePolicy, compileRole, decide, type Statement } from '@halyard/core/policy'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { policies, policyQueries } from '../arbitraries/index.ts'
import { createTestEngine } from '../engine/test-engine.ts'
import { diffPolicies } from './diff.ts'
import { resourcesOf } from './resources-of.ts'

const allow = (actions: string[], ...resources: string[]): Statement => ({ effect: 'allow', actions, resources })
const deny = (actions: string[], ...resources: string[]): Statement => ({ effect: 'deny', actions, resources })

const checkout = 'proj/web:env/production:flag/checkout'
const search = 'proj/web:env/production:flag/search'
const resources = ['proj/web', checkout, search, 'team/growth']

describe('diffPolicies', () => {
  it('groups the changed decisions and describes them as text', () => {
    const before = [allow(['updateOn', 'updateName'], 'proj/*:env/*:flag/*'), allow(['viewTeam'], 'team/*')]
    const after = [allow(['updateOn', 'deleteFlag'], 'proj/*:env/*:flag/*'), allow(['viewProject'], 'proj/*')]
    expect(diffPolicies(before, after, { resources })).toEqual({
      allowed: [
        { actions: ['viewProject'], resources: ['proj/web'] },
        { actions: ['deleteFlag'], resources: [checkout, search] },
      ],
      denied: [
        { actions: ['updateName'], resources: [checkout, search] },
        { actions: ['viewTeam'], resources: ['team/growth'] },
      ],
      text: [
        'newly denied',
        '  updateName',
        `    ${checkout}`,
        `    ${search}`,
        '  viewTeam',
        '    team/growth',
        'newly allowed',
        '  viewProject',
        '    proj/web',
        '  deleteFlag',
        `    ${checkout}`,
        `    ${search}`,
      ].join('\n'),
    })
  })

  it('reports no change when two policies differ in wording only', () => {
    const before = [allow(['view*', 'updateProjectName'], 'proj/*')]
    const after = [allow(['updateProjectName'], 'proj/web'), allow(['viewProject'], 'proj/*')]
    expect(diffPolicies(before, after, { resources }).text).toBe('no decision changes')
  })

  it('uses the tags of resources and the role attributes of the caller', () => {
    const before = [allow(['deleteTeam'], 'team/*')]
    const after = [allow(['deleteTeam'], 'team/${roleAttribute/own};small')]
    const resourceLists = [[{ kind: 'team', key: 'growth', tags: ['small'] }], 'team/core;small', 'team/growth']
    const { denied } = diffPolicies(before, after, { resources: resourceLists, roleAttributes: { own: ['growth'] } })
    expect(denied).toEqual([{ actions: ['deleteTeam'], resources: ['team/core', 'team/growth'] }])
  })

  it('combines the roles of a caller', () => {
    const reader = { name: 'reader', policy: [allow(['viewProject'], 'proj/*')] }
    const guard = { name: 'guard', policy: [deny(['*'], 'proj/*')] }
    expect(diffPolicies(reader, [reader, guard], { resources }).text).toBe('no decision changes')
    expect(diffPolicies(reader, [...reader.policy, ...guard.policy], { resources }).denied).toHaveLength(1)
  })

  it('throws a TypeError for a text that names no resource', () => {
    expect(() => diffPolicies([], [], { resources: ['web'] })).toThrow(TypeError)
  })

  it('reports exactly the changed decisions, once each, and the opposite for swapped policies', () => {
    let changes = 0
    const resourceLists = fc.array(
      policyQueries().map(({ resource }) => resource),
      { maxLength: 6 },
    )
    fc.assert(
      fc.property(policies(), policies(), resourceLists, (before, after, resourceList) => {
        const expected = { allowed: new Set<string>(), denied: new Set<string>() }
        const [old, changed] = [before, after].map((statements) =>
          compilePolicy([compileRole({ name: 'any', statements })]),
        ) as [ReturnType<typeof compilePolicy>, ReturnType<typeof compilePolicy>]
        for (const resource of resourceList) {
          for (const action of actionsOf(resource.at(-1)?.kind ?? '')) {
            const [allowedBefore, allowedAfter] = [old, changed].map(
              (policy) => decide(policy, action, resource).allowed,
            )
            if (allowedBefore !== allowedAfter)
              expected[allowedAfter ? 'allowed' : 'denied'].add(`${action} ${addressOf(resource)}`)
          }
        }
        const diff = diffPolicies(before, after, { resources: resourceList })
        const decisionsIn = (list: typeof diff.allowed) =>
          list.flatMap((policyChange) =>
            policyChange.resources.flatMap((address) => policyChange.actions.map((action) => `${action} ${address}`)),
          )
        expect(decisionsIn(diff.allowed).sort()).toEqual([...expected.allowed].sort())
        expect(decisionsIn(diff.denied).sort()).toEqual([...expected.denied].sort())
        const reverse = diffPolicies(after, before, { resources: resourceList })
        expect([reverse.allowed, reverse.denied]).toEqual([diff.denied, diff.allowed])
        changes += expected.allowed.size + expected.denied.size
      }),
      { numRuns: 300 },
    )
    expect(changes).toBeGreaterThan(1000)
  })
})

describe('resourcesOf', () => {
  const as = { role: 'owner' } as const

  it('returns stored resources with the attributes that policies can refer to', async () => {
    const engine = await createTestEngine()
    const environments = [
      { key: 'live', name: 'Live', color: 'FF0000', critical: true, tags: ['eu'] },
      { key: 'test', name: 'Test', color: '00FF00' },
    ]
    await engine.api.createProject({ body: { key: 'web', name: 'Web', tags: ['core'], environments } }, { as })
    await engine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'C', tags: ['pay'] } }, { as })
    const params = { projectKey: 'web', environmentKey: 'test' }
    await engine.api.createSegment({ ...params, body: { key: 'beta', name: 'B', tags: ['growth'] } }, { as })
    const policy = [allow(['viewRole'], 'role/*')]
    await engine.api.createRole({ body: { key: 'ops', name: 'Ops', policy } }, { as })

    const web = { kind: 'proj', key: 'web', tags: ['core'] }
    const live = { kind: 'env', key: 'live', tags: ['eu'], properties: { critical: true } }
    const test = { kind: 'env', key: 'test', tags: [], properties: { critical: false } }
    const flag = { kind: 'flag', key: 'checkout', tags: ['pay'] }
    const resourcesFound = await resourcesOf(engine)
    expect(resourcesFound).toHaveLength(10)
    expect(resourcesFound).toEqual(
      expect.arrayContaining([
        [{ kind: 'acct', key: '' }],
        [{ kind: 'ip-allowlist', key: '' }],
        [{ kind: 'role', key: 'ops' }],
        [web],
        [web, live],
        [web, test],
        [web, { kind: 'env', key: '*' }, flag],
        [web, live, flag],
        [web, test, flag],
        [web, test, { kind: 'segment', key: 'beta', tags: ['growth'] }],
      ]),
    )
    expect(await resourcesOf(engine, { as: { policy } })).toEqual([
      [{ kind: 'acct', key: '' }],
      [{ kind: 'ip-allowlist', key: '' }],
      [{ kind: 'role', key: 'ops' }],
    ])
    await engine.close()
  })

  it('reads all pages', async () => {
    const engine = await createTestEngine()
    await engine.api.createProject({ body: { key: 'web', name: 'Web', environments: [] } }, { as })
    const keys = Array.from({ length: 101 }, (_, index) => `flag-${index}`)
    for (const key of keys) await engine.api.createFlag({ projectKey: 'web', body: { key, name: key } }, { as })
    const flags = (await resourcesOf(engine)).flatMap((resource) => resource.find(({ kind }) => kind === 'flag') ?? [])
    expect(new Set(flags.map(({ key }) => key))).toEqual(new Set(keys))
    await engine.close()
  })
})
