import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { allow, awaitTurns, clause, failureOf, flagProject, validationErrorOf } from '../test/flag-project.ts'

/**
 * Creates the flag `source`, which serves numbers. It has all kinds of targeting in production, and no targeting in
 * test.
 */
async function project() {
  const base = await flagProject()
  const { api, as, create, instruct, segment } = base
  const [baseVariation] = (await create('base')).variations
  const settings = {
    description: 'What it costs',
    variations: [{ value: 1, name: 'Low' }, { value: 2 }, { value: 3, description: 'High' }],
    defaults: { onVariation: 2, offVariation: 1 },
    temporary: false,
    tags: ['shop'],
    includeInSnippet: true,
    clientSideAvailability: { usingEnvironmentId: true, usingMobileKey: false },
    customProperties: { ticket: { name: 'Ticket', value: ['7'] } },
    maintainerTeamKey: 'growth',
  }
  const [low, , high] = (await create('source', settings)).variations
  await segment('beta')
  await instruct('source', [
    { kind: 'turnFlagOn' },
    { kind: 'addPrerequisite', key: 'base', variationId: baseVariation?._id },
    { kind: 'addTargets', values: ['u'], variationId: low?._id },
    {
      kind: 'addRule',
      clauses: [clause({ attribute: '', op: 'segmentMatch', values: ['beta'] })],
      variationId: high?._id,
    },
    { kind: 'updateFallthroughVariationOrRollout', rolloutWeights: { [low?._id ?? '']: 100_000 } },
  ])
  return {
    ...base,
    low,
    clone: (body: object = {}, caller: As = as, clone = 'source') =>
      api.createFlag(
        { projectKey: 'web', clone, body: { key: 'copy', name: 'Copy', ...body } as never },
        { as: caller },
      ),
  }
}

describe('createFlag with clone', () => {
  it('creates a flag with the settings and variations of another flag, with new ids and salts', async () => {
    const { clone, get, memberId } = await project()
    const source = await get('source')
    const created = await clone()
    const same = [
      'description',
      'kind',
      'defaults',
      'temporary',
      'tags',
      'includeInSnippet',
      'customProperties',
    ] as const
    for (const property of [...same, 'clientSideAvailability'] as const)
      expect(created[property]).toEqual(source[property])
    const values = ({ variations }: typeof created) => variations.map(({ _id, ...rest }) => rest)
    expect(values(created)).toEqual(values(source))
    const ids = [created, source].flatMap(({ variations }) => variations.map(({ _id }) => _id))
    expect(new Set(ids).size).toBe(6)
    expect(created.environments?.production?.salt).not.toBe(source.environments?.production?.salt)
    expect(created).toMatchObject({ key: 'copy', name: 'Copy', maintainerId: memberId, _version: 1 })
    expect(created.maintainerTeamKey).toBeUndefined()
    expect(await get('copy')).toEqual(created)
  })

  it('copies the targeting in every environment, and turns the clone off everywhere', async () => {
    const { clone, get } = await project()
    const source = await get('source')
    const { environments } = await clone()
    for (const key of ['production', 'test']) {
      const { salt: _, sel: __, _site, on, lastModified, version, ...copied } = environments?.[key] ?? ({} as never)
      expect(on).toBe(false)
      expect(source.environments?.[key]).toMatchObject(copied)
      expect(_site.href).toBe(`/web/${key}/features/copy`)
    }
    expect(environments?.test?.version).toBe(1)
  })

  it('prefers the settings in the body to the settings of the source', async () => {
    const { clone } = await project()
    const settings = {
      description: '',
      temporary: true,
      tags: [],
      includeInSnippet: false,
      customProperties: {},
      clientSideAvailability: { usingEnvironmentId: false, usingMobileKey: true },
      maintainerTeamKey: 'growth',
    }
    expect(await clone(settings)).toMatchObject(settings)
  })

  it('updates the reference indexes', async () => {
    const { clone, api, as, keysOf } = await project()
    await clone()
    await api.deleteFlag(keysOf('source'), { as })
    const keys = { projectKey: 'web', environmentKey: 'production' }
    expect((await failureOf(api.deleteSegment({ ...keys, segmentKey: 'beta' }, { as }))).code).toBe(
      'optimistic_locking_error',
    )
    expect((await failureOf(api.deleteFlag(keysOf('base'), { as }))).message).toContain('copy')
  })

  it('clones a migration flag', async () => {
    const { create, clone } = await project()
    const migration = { purpose: 'migration', migrationSettings: { stageCount: 6, contextKind: 'org' } }
    await create('move', migration)
    const created = await clone({}, undefined, 'move')
    expect(created).toMatchObject(migration)
    expect(created.variations).toHaveLength(6)
  })

  it.each([
    ['variations', [{ value: 1 }, { value: 2 }]],
    ['defaults', { onVariation: 0, offVariation: 1 }],
    ['purpose', 'migration'],
    ['migrationSettings', { stageCount: 2 }],
  ])('rejects %s, which a clone takes from its source', async (attribute, value) => {
    const { clone } = await project()
    expect(await validationErrorOf(clone({ [attribute]: value }))).toEqual({
      attribute,
      reason: 'must be left out of a clone',
    })
  })

  it('rejects an unknown source and a key that is taken', async () => {
    const { clone } = await project()
    expect(await validationErrorOf(clone({}, undefined, 'other'))).toEqual({
      attribute: 'clone',
      reason: 'must be the key of a flag of the project',
    })
    expect((await failureOf(clone({ key: 'base' }))).code).toBe('optimistic_locking_error')
    expect((await validationErrorOf(clone({}, undefined, '__proto__'))).attribute).toBe('clone')
  })

  it('requires the right to clone the source, to create the clone, and to view the project', async () => {
    const { clone } = await project()
    const parts = [
      allow(['cloneFlag'], ['proj/web:env/*:flag/source']),
      allow(['createFlag'], ['proj/web:env/*:flag/copy']),
      allow(['viewProject'], ['proj/web']),
    ]
    for (const missing of parts) {
      const as: As = { policy: parts.filter((statement) => statement !== missing) }
      expect((await failureOf(clone({}, as))).code).toBe('forbidden')
      expect((await failureOf(clone({}, { policy: [] }, 'other'))).code).toBe('forbidden')
    }
    expect((await clone({}, { policy: parts })).key).toBe('copy')
  })

  it('copies the source as it was at one moment, or fails', async () => {
    for (let turnCount = 0; turnCount < 12; turnCount++) {
      const { clone, instruct, low, get } = await project()
      const values = ['late']
      const change = instruct('source', [{ kind: 'addTargets', values, variationId: low?._id }])
      await awaitTurns(turnCount)
      const outcome = await clone().then(
        () => 'cloned',
        (error: { code: string }) => error.code,
      )
      await change
      expect(['cloned', 'optimistic_locking_error']).toContain(outcome)
      if (outcome !== 'cloned') expect((await failureOf(get('copy'))).code).toBe('not_found')
    }
  })
})

describe('the maintaining team', () => {
  it('must exist, whichever operation assigns it', async () => {
    const { create, patch, instruct } = await flagProject()
    const error = { attribute: 'maintainerTeamKey', reason: 'must be the key of a team' }
    expect(await validationErrorOf(create('f', { maintainerTeamKey: 'other' }))).toEqual(error)
    await create('f')
    const path = '/maintainerTeamKey'
    const change = [
      { op: 'remove', path: '/maintainerId' },
      { op: 'add', path, value: 'other' },
    ]
    expect(await validationErrorOf(patch('f', change))).toEqual(error)
    expect(await validationErrorOf(instruct('f', [{ kind: 'updateMaintainerTeam', value: 'other' }]))).toEqual({
      attribute: 'instructions.0',
      reason: `${error.attribute} ${error.reason}`,
    })
    const { maintainerTeamKey } = await instruct('f', [{ kind: 'updateMaintainerTeam', value: 'growth' }])
    expect(maintainerTeamKey).toBe('growth')
  })

  it('does not prevent other changes once it is deleted', async () => {
    const { create, instruct, api, as } = await flagProject()
    await create('f', { maintainerTeamKey: 'growth' })
    await api.deleteTeam({ teamKey: 'growth', detach: true }, { as })
    expect((await instruct('f', [{ kind: 'updateName', value: 'New' }])).maintainerTeamKey).toBeUndefined()
  })
})
