import { describe, expect, it } from 'vitest'
import { clause, failureOf, flagProject, start, validationErrorOf } from './test/flag-project.ts'

const user = (variation: number, ...values: string[]) => ({ values, variation, contextKind: 'user' })

const on = { op: 'replace', path: '/environments/production/on', value: true }

const turnOn = { kind: 'turnFlagOn' }

describe('a JSON Patch of a flag', () => {
  it('changes flag-wide properties and configurations together', async () => {
    const { create, get, patch, pass } = await flagProject()
    const before = await create('f', { tags: ['a'] })
    pass(60_000)
    const after = await patch('f', [
      { op: 'replace', path: '/name', value: 'Checkout' },
      { op: 'replace', path: '/description', value: 'New' },
      { op: 'add', path: '/tags/-', value: 'b' },
      { op: 'replace', path: '/temporary', value: false },
      { op: 'replace', path: '/includeInSnippet', value: true },
      { op: 'replace', path: '/clientSideAvailability/usingEnvironmentId', value: true },
      { op: 'add', path: '/customProperties/jira', value: { name: 'Jira', value: ['1'] } },
      { op: 'replace', path: '/defaults', value: { onVariation: 1, offVariation: 1 } },
      { op: 'replace', path: '/archived', value: true },
      { op: 'replace', path: '/deprecated', value: true },
      { op: 'remove', path: '/maintainerId' },
      on,
      { op: 'add', path: '/environments/production/targets/-', value: { values: ['ann'], variation: 0 } },
      { op: 'add', path: '/environments/production/rules/-', value: { clauses: [clause()], variation: 1 } },
      { op: 'remove', path: '/environments/production/offVariation' },
      { op: 'replace', path: '/environments/test/trackEvents', value: true },
    ])
    expect(after).toMatchObject({
      name: 'Checkout',
      description: 'New',
      tags: ['a', 'b'],
      temporary: false,
      includeInSnippet: true,
      clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: true },
      customProperties: { jira: { name: 'Jira', value: ['1'] } },
      defaults: { onVariation: 1, offVariation: 1 },
      archived: true,
      archivedDate: String(start + 60_000),
      deprecated: true,
      deprecatedDate: String(start + 60_000),
      _version: 2,
    })
    expect(after.maintainerId).toBeUndefined()
    expect(after.variations).toEqual(before.variations)
    expect(after.environments?.production).toMatchObject({
      on: true,
      archived: true,
      targets: [user(0, 'ann')],
      rules: [
        {
          _id: expect.any(String),
          clauses: [{ ...clause(), _id: expect.any(String) }],
          variation: 1,
          trackEvents: false,
        },
      ],
      version: 2,
      lastModified: String(start + 60_000),
    })
    expect(after.environments?.production?.offVariation).toBeUndefined()
    expect(after.environments?.test).toMatchObject({ on: false, trackEvents: true, version: 2 })
    expect(await get('f')).toEqual(after)
  })

  it('replaces a member as maintainer by a team, and a team by a member', async () => {
    const { create, patch, memberId } = await flagProject()
    await create('f')
    const maintainersAfter = async (path: string, value: unknown) => {
      const { maintainerId, maintainerTeamKey } = await patch('f', [{ op: 'add', path, value }])
      return [maintainerId, maintainerTeamKey]
    }
    expect(await maintainersAfter('/maintainerTeamKey', 'growth')).toEqual([undefined, 'growth'])
    expect(await maintainersAfter('/maintainerId', memberId)).toEqual([memberId, undefined])
    await patch('f', [{ op: 'remove', path: '/maintainerId' }])
    const both = [
      { op: 'add', path: '/maintainerId', value: memberId },
      { op: 'add', path: '/maintainerTeamKey', value: 'growth' },
    ]
    expect(await validationErrorOf(patch('f', both))).toMatchObject({ attribute: 'maintainerTeamKey' })
  })

  it.each([
    ['/key', 'g'],
    ['/kind', 'multivariate'],
    ['/_version', 7],
    ['/creationDate', '0'],
    ['/environments', {}],
    ['/environments/production', {}],
    ['/environments/production/salt', 'x'],
    ['/environments/production/lastModified', 0],
    ['/environments/production/archived', true],
    ['/migrationSettings', {}],
  ])('rejects a change of %s', async (path, value) => {
    const { create, patch } = await flagProject()
    await create('f')
    const error = await validationErrorOf(patch('f', [{ op: 'add', path, value }]))
    expect(error).toEqual({ attribute: '0.path', reason: `${path} cannot be changed` })
  })

  const rollout = (...weights: number[]) => ({
    rollout: { variations: weights.map((weight, variation) => ({ variation, weight })) },
  })

  it.each<[string, string, unknown, string]>([
    ['an off variation that does not exist', 'offVariation', 2, 'offVariation'],
    ['a fallthrough variation that does not exist', 'fallthrough', { variation: 5 }, 'fallthrough.variation'],
    ['both a variation and a rollout', 'fallthrough', { variation: 0, ...rollout(100_000) }, 'fallthrough'],
    ['neither a variation nor a rollout', 'fallthrough', {}, 'fallthrough'],
    ['weights with a sum below 100%', 'fallthrough', rollout(50_000, 49_999), 'fallthrough.rollout'],
    ['weights with a sum above 100%', 'fallthrough', rollout(50_000, 50_001), 'fallthrough.rollout'],
    ['a negative weight', 'fallthrough', rollout(100_001, -1), 'fallthrough.rollout.variations.0.weight'],
    [
      'a weight of a variation that does not exist',
      'fallthrough',
      rollout(50_000, 25_000, 25_000),
      'fallthrough.rollout.variations.2.variation',
    ],
    ['a key in two variations', 'targets', [user(0, 'ann'), user(1, 'bob', 'ann')], 'targets'],
    ['a key twice in one variation', 'targets', [user(0, 'ann', 'ann')], 'targets'],
    ['a target of a variation that does not exist', 'targets', [user(3, 'ann')], 'targets.0.variation'],
    ['an organization among users', 'targets', [{ ...user(0, 'acme'), contextKind: 'org' }], 'targets'],
    ['a user among other contexts', 'contextTargets', [user(0, 'ann')], 'contextTargets'],
    [
      'a target without a context kind',
      'contextTargets',
      [{ values: ['a'], variation: 0 }],
      'contextTargets.0.contextKind',
    ],
    ['a rule with a variation that does not exist', 'rules', [{ clauses: [], variation: 2 }], 'rules.0.variation'],
    ['a rule that serves nothing', 'rules', [{ clauses: [] }], 'rules.0'],
    ['an unknown operator', 'rules', [{ clauses: [clause({ op: 'like' })], variation: 0 }], 'rules.0.clauses.0.op'],
    [
      'a repeated rule id',
      'rules',
      [
        { _id: 'r', clauses: [], variation: 0 },
        { _id: 'r', clauses: [], variation: 0 },
      ],
      'rules',
    ],
    [
      'an unknown segment',
      'rules',
      [{ clauses: [clause({ op: 'segmentMatch', values: ['no'] })], variation: 0 }],
      'rules',
    ],
    [
      'a seed that is not an integer',
      'fallthrough',
      { rollout: { variations: [{ variation: 0, weight: 100_000 }], seed: 0.5 } },
      'fallthrough.rollout.seed',
    ],
    ['an unknown prerequisite', 'prerequisites', [{ key: 'none', variation: 0 }], 'prerequisites'],
    ['the flag itself as prerequisite', 'prerequisites', [{ key: 'f', variation: 0 }], 'prerequisites'],
    [
      'a prerequisite with a variation that does not exist',
      'prerequisites',
      [{ key: 'base', variation: 2 }],
      'prerequisites',
    ],
    [
      'a repeated prerequisite',
      'prerequisites',
      [
        { key: 'base', variation: 0 },
        { key: 'base', variation: 1 },
      ],
      'prerequisites',
    ],
    ['an `on` that is not a boolean', 'on', 'yes', 'on'],
  ])('rejects %s and names its path', async (_, property, value, attribute) => {
    const { create, get, patch } = await flagProject()
    const before = await create('f')
    await create('base')
    const { code, errors } = await failureOf(
      patch('f', [
        { op: 'add', path: `/environments/production/${property}`, value },
        { ...on, path: '/environments/test/on' },
      ]),
    )
    expect(code).toBe('invalid_request')
    expect(errors?.map((error) => error.attribute)).toContain(`environments.production.${attribute}`)
    expect(await get('f')).toEqual(before)
  })

  it('rejects an unknown environment', async () => {
    const { create, patch } = await flagProject()
    await create('f')
    expect(await validationErrorOf(patch('f', [{ ...on, path: '/environments/none/on' }]))).toMatchObject({
      attribute: '0',
    })
  })

  it('returns 409 when a test operation fails', async () => {
    const { create, patch } = await flagProject()
    await create('f')
    const test = (value: number) => patch('f', [{ op: 'test', path: '/version', value }, on])
    expect(await failureOf(test(2))).toMatchObject({ code: 'optimistic_locking_error' })
    expect(await test(1)).toMatchObject({ _version: 2 })
  })

  it('succeeds and writes nothing when it changes nothing', async () => {
    const { create, patch } = await flagProject()
    const before = await create('f')
    expect(await patch('f', [{ ...on, value: false }])).toEqual(before)
    expect(await patch('f', [])).toEqual(before)
  })

  it('accepts a comment', async () => {
    const { api, as, create, keysOf } = await flagProject()
    await create('f')
    const body = { comment: 'Now', patch: [on] }
    expect((await api.patchFlag({ ...keysOf('f'), body }, { as })).environments?.production?.on).toBe(true)
  })
})

describe('comments', () => {
  it('are required by both kinds of patch when an environment requires them', async () => {
    const { api, as, create, instruct, patch, keysOf } = await flagProject()
    await create('f')
    const body = [{ op: 'replace', path: '/requireComments', value: true }]
    await api.patchEnvironment({ projectKey: 'web', environmentKey: 'production', body }, { as })
    expect(await validationErrorOf(patch('f', [on]))).toMatchObject({ attribute: 'comment' })
    expect(await validationErrorOf(instruct('f', [turnOn], { comment: ' ' }))).toMatchObject({ attribute: 'comment' })
    expect(await instruct('f', [{ kind: 'turnFlagOff' }])).toMatchObject({ _version: 1 })
    expect((await instruct('f', [turnOn], { environmentKey: 'test' })).environments?.test?.on).toBe(true)
    const commented = { comment: 'As agreed', patch: [on] }
    const after = await api.patchFlag({ ...keysOf('f'), body: commented }, { as })
    expect(after.environments?.production?.on).toBe(true)
  })
})

it('a patch returns 404 for an unknown flag', async () => {
  const { patch, instruct } = await flagProject()
  expect(await failureOf(patch('none', [on]))).toMatchObject({ code: 'not_found' })
  expect(await failureOf(instruct('none', [{ kind: 'deleteFlag' }]))).toMatchObject({ code: 'not_found' })
})
