import { describe, expect, it } from 'vitest'
import { allow, editor, failureOf, faultOf, start } from '../flags/test/flag-project.ts'
import { audience, releaseProject, twoPhases } from './test/release-project.ts'

const json = 'application/json'
const guardian = {
  monitoringWindowMilliseconds: 60_000,
  rolloutWeight: 50,
  rollbackOnRegression: true,
  randomizationUnit: 'user',
}

describe('a release pipeline in an answer', () => {
  it('has every field of spec.md', async () => {
    const { addPipeline, segment, memberId } = await releaseProject()
    await segment('beta')
    const configuration = {
      releaseStrategy: 'monitoredRelease',
      requireApproval: true,
      notifyMemberIds: [memberId],
      notifyTeamKeys: [],
      releaseGuardianConfiguration: guardian,
    }
    const { _access, ...pipeline } = await addPipeline('usual', {
      name: 'Usual',
      description: 'First testers',
      tags: ['shop'],
      phases: [
        { name: 'Testing', audiences: [audience('test')], configuration: { days: 2 } },
        { name: 'Beta', audiences: [audience('production', { segmentKeys: ['beta'], configuration })] },
      ],
    })
    const environment = (key: string, name: string, color: string) => ({
      _links: { self: { href: `/api/v2/projects/web/environments/${key}`, type: json } },
      key,
      name,
      color,
    })
    expect(pipeline).toEqual({
      createdAt: String(start),
      key: 'usual',
      name: 'Usual',
      phases: [
        {
          id: expect.any(String),
          name: 'Testing',
          audiences: [{ name: 'All of test', environment: environment('test', 'Test', 'f5a623'), segmentKeys: [] }],
          configuration: { days: 2 },
        },
        {
          id: expect.any(String),
          name: 'Beta',
          audiences: [
            {
              name: 'All of production',
              environment: environment('production', 'Production', '417505'),
              configuration,
              segmentKeys: ['beta'],
            },
          ],
          configuration: {},
        },
      ],
      description: 'First testers',
      tags: ['shop'],
      _version: 1,
      isProjectDefault: true,
      _isLegacy: false,
    })
    expect(_access.denied).toEqual([])
    expect(_access.allowed.map(({ action }) => action)).toEqual([
      'createReleasePipeline',
      'updateReleasePipelineName',
      'updateReleasePipelineDescription',
      'updateReleasePipelineTags',
      'updateReleasePipelinePhase',
      'updateReleasePipelinePhaseName',
      'deleteReleasePipeline',
    ])
  })

  it('leaves out an environment that was deleted, and keeps the audience', async () => {
    const { addPipeline, getPipeline, patchPipeline, putPipeline, api, as } = await releaseProject()
    await addPipeline('usual')
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'test' }, { as })
    expect((await getPipeline('usual')).phases[0]?.audiences).toEqual([{ name: 'All of test', segmentKeys: [] }])
    await patchPipeline('usual', [{ op: 'replace', path: '/name', value: 'Still there' }])
    expect((await putPipeline('usual')).name).toBe('usual')
  })

  it('is 201 over a transport, with its version as ETag, and without a beta header, as spec.md marks none', async () => {
    const { send } = await releaseProject()
    const path = '/api/v2/projects/web/release-pipelines'
    const body = { key: 'usual', name: 'Usual', phases: twoPhases }
    expect(await send('POST', path, { body })).toMatchObject({ status: 201, headers: { etag: '"1"' } })
    expect(await send('GET', `${path}/usual`)).toMatchObject({
      status: 200,
      headers: { etag: '"1"' },
    })
    expect((await send('DELETE', `${path}/usual`, { headers: { 'if-match': '"9"' } })).status).toBe(409)
  })
})

describe('createReleasePipeline', () => {
  it('makes the first one the default of the project, and another one where that is asked', async () => {
    const { addPipeline, listPipelines, api, as } = await releaseProject()
    await addPipeline('a')
    expect((await addPipeline('b')).isProjectDefault).toBe(false)
    expect((await api.getProject({ projectKey: 'web' }, { as })).defaultReleasePipelineKey).toBe('a')
    expect((await addPipeline('c', { isProjectDefault: true })).isProjectDefault).toBe(true)
    const { items } = await listPipelines()
    expect(items.map(({ key, isProjectDefault }) => [key, isProjectDefault])).toEqual([
      ['a', false],
      ['b', false],
      ['c', true],
    ])
  })

  it('asks for the right to change the default only where there was another one', async () => {
    const { addPipeline, listPipelines } = await releaseProject()
    const maker = editor(['createReleasePipeline'], 'proj/*:release-pipeline/*')
    await addPipeline('a', { isProjectDefault: true }, maker)
    expect(await failureOf(addPipeline('b', { isProjectDefault: true }, maker))).toMatchObject({ code: 'forbidden' })
    await addPipeline('c', {}, maker)
    expect((await listPipelines()).items.map(({ key }) => key)).toEqual(['a', 'c'])
  })

  it('marks a legacy pipeline', async () => {
    const { addPipeline } = await releaseProject()
    expect((await addPipeline('old', { isLegacy: true }))._isLegacy).toBe(true)
  })

  it('is 409 for a key that is taken', async () => {
    const { addPipeline } = await releaseProject()
    await addPipeline('usual')
    expect(await failureOf(addPipeline('usual'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is a release pipeline usual already',
    })
  })

  it('makes at most 20 in a project, also of those that are made at once', async () => {
    const { addPipeline, listPipelines, deletePipeline } = await releaseProject()
    for (let i = 1; i <= 19; i++) await addPipeline(`p${i}`)
    const both = await Promise.allSettled([addPipeline('x'), addPipeline('y')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await failureOf(addPipeline('one-more'))).toEqual({
      code: 'invalid_request',
      message: 'A project has at most 20 release pipelines',
    })
    await deletePipeline('p2')
    await addPipeline('one-more')
    expect((await listPipelines()).totalCount).toBe(20)
  })

  it('is 404 in a project that is not there', async () => {
    const { api, as } = await releaseProject()
    const body = { key: 'usual', name: 'Usual', phases: twoPhases }
    expect(await failureOf(api.createReleasePipeline({ projectKey: 'gone', body }, { as }))).toMatchObject({
      code: 'not_found',
    })
  })

  it('names every environment, segment, member and team that is not there', async () => {
    const { addPipeline, segment, listPipelines } = await releaseProject()
    await segment('beta', 'test')
    const configuration = {
      releaseStrategy: 'monitoredRelease',
      requireApproval: false,
      notifyMemberIds: ['nobody'],
      notifyTeamKeys: ['none'],
    }
    const phases = [
      { name: 'One', audiences: [audience('test', { segmentKeys: ['beta', 'gone'] }), audience('nowhere')] },
      { name: 'Two', audiences: [audience('production', { segmentKeys: ['beta'], configuration })] },
    ]
    expect(await failureOf(addPipeline('usual', { phases }))).toEqual({
      code: 'invalid_request',
      message: 'validation failed',
      errors: [
        { attribute: 'phases.0.audiences.0.segmentKeys.1', reason: 'must be the key of a segment of the environment' },
        {
          attribute: 'phases.0.audiences.1.environmentKey',
          reason: 'must be the key of an environment of the project',
        },
        { attribute: 'phases.1.audiences.0.segmentKeys.0', reason: 'must be the key of a segment of the environment' },
        { attribute: 'phases.1.audiences.0.configuration.notifyMemberIds.0', reason: 'must be the id of a member' },
        { attribute: 'phases.1.audiences.0.configuration.notifyTeamKeys.0', reason: 'must be the key of a team' },
      ],
    })
    expect((await listPipelines()).totalCount).toBe(0)
  })

  const withConfiguration = (configuration: object) => ({
    phases: [{ name: 'One', audiences: [audience('test', { configuration })] }],
  })
  const plain = { releaseStrategy: 'monitoredRelease', requireApproval: false }

  it.each<[string, object, string, string]>([
    ['no name', { name: undefined }, 'name', 'must be present'],
    ['an empty name', { name: '' }, 'name', 'must not be empty'],
    ['a long name', { name: 'n'.repeat(257) }, 'name', 'must have at most 256 characters'],
    ['no phases', { phases: undefined }, 'phases', 'must be present'],
    ['an empty list of phases', { phases: [] }, 'phases', 'must hold at least 1 phase'],
    ['eleven phases', { phases: Array(11).fill(twoPhases[0]) }, 'phases', 'must hold at most 10 phases'],
    ['a phase without a name', { phases: [{ audiences: [] }] }, 'phases.0.name', 'must be present'],
    ['a phase without audiences', { phases: [{ name: 'One' }] }, 'phases.0.audiences', 'must be present'],
    [
      'an audience without environment',
      { phases: [{ name: 'One', audiences: [{ name: 'x' }] }] },
      'phases.0.audiences.0.environmentKey',
      'must be present',
    ],
    [
      'an audience without a name',
      { phases: [{ name: 'One', audiences: [{ environmentKey: 'test' }] }] },
      'phases.0.audiences.0.name',
      'must be present',
    ],
    [
      'too many audiences',
      { phases: [{ name: 'One', audiences: Array(101).fill(audience('test')) }] },
      'phases.0.audiences',
      'must hold at most 100 audiences',
    ],
    ['a member that nobody knows', { other: 1 }, 'other', 'is not a known member'],
    ['a key that is none', { key: 'a b' }, 'key', expect.stringContaining('must be 1 to 256 letters') as never],
    [
      'a configuration without strategy',
      withConfiguration({ requireApproval: true }),
      'phases.0.audiences.0.configuration.releaseStrategy',
      'must be present',
    ],
    [
      'a configuration that does not say whether it needs approval',
      withConfiguration({ releaseStrategy: 'x' }),
      'phases.0.audiences.0.configuration.requireApproval',
      'must be present',
    ],
    [
      'more than all contexts',
      withConfiguration({ ...plain, releaseGuardianConfiguration: { ...guardian, rolloutWeight: 101 } }),
      'phases.0.audiences.0.configuration.releaseGuardianConfiguration.rolloutWeight',
      'must be at most 100',
    ],
    [
      'a time before now',
      withConfiguration({ ...plain, releaseGuardianConfiguration: { ...guardian, monitoringWindowMilliseconds: -1 } }),
      'phases.0.audiences.0.configuration.releaseGuardianConfiguration.monitoringWindowMilliseconds',
      'must not be negative',
    ],
  ])('refuses %s', async (_, more, attribute, reason) => {
    const { addPipeline } = await releaseProject()
    expect(await faultOf(addPipeline('usual', more))).toEqual({ attribute, reason })
  })

  it('refuses to look up more than a bounded number of things', async () => {
    const { addPipeline } = await releaseProject()
    const notifyMemberIds = Array.from({ length: 1000 }, (_, i) => `m${i}`)
    const configuration = { ...plain, notifyMemberIds }
    const phases = [{ name: 'One', audiences: Array(6).fill(audience('test', { configuration })) }]
    expect(await faultOf(addPipeline('usual', { phases }))).toEqual({
      attribute: 'phases',
      reason: 'must not name more than 5000 environments, segments, members and teams',
    })
  })

  it.each([
    ['NUL', '{"name":"a\\u0000"}'],
    ['a lone surrogate', '{"name":"\\ud800"}'],
    ['a name that reaches a prototype', '{"name":"a","configuration":{"__proto__":{"x":1}}}'],
  ])('refuses %s in a phase', async (_, phase) => {
    const { send } = await releaseProject()
    const phases = [{ audiences: [], ...JSON.parse(phase) }]
    const body = { key: 'usual', name: 'Usual', phases }
    const answer = await send('POST', '/api/v2/projects/web/release-pipelines', { body })
    expect(answer.status).toBe(400)
  })
})

describe('listReleasePipelines', () => {
  it('pages, by name, and filters by text and environment', async () => {
    const { addPipeline, listPipelines } = await releaseProject()
    await addPipeline('b', { name: 'Beta first' })
    await addPipeline('a', { name: 'All at once', phases: [{ name: 'One', audiences: [audience('production')] }] })
    await addPipeline('c', { name: 'Careful', description: 'with beta users' })
    const keys = async (query: object) => (await listPipelines(query)).items.map(({ key }) => key)
    expect(await keys({})).toEqual(['a', 'b', 'c'])
    expect(await keys({ filter: 'query:BETA' })).toEqual(['b', 'c'])
    expect(await keys({ filter: 'env:test' })).toEqual(['b', 'c'])
    expect(await keys({ filter: 'env:production,query:all' })).toEqual(['a'])
    expect(await keys({ filter: 'env:nowhere' })).toEqual([])
    const page = await listPipelines({ limit: 1, offset: 1 })
    expect(page.items.map(({ key }) => key)).toEqual(['b'])
    expect(page.totalCount).toBe(3)
    expect(Object.keys(page._links).sort()).toEqual(['first', 'last', 'next', 'prev', 'self'])
  })

  it('refuses a filter that it does not know', async () => {
    const { listPipelines } = await releaseProject()
    expect(await faultOf(listPipelines({ filter: 'tag:x' }))).toMatchObject({ attribute: 'filter' })
  })

  it('shows nothing to whoever may not view the project', async () => {
    const { api } = await releaseProject()
    const stranger = { as: { policy: [allow(['viewProject'], ['proj/other'])] } }
    expect(await failureOf(api.listReleasePipelines({ projectKey: 'web' }, stranger))).toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('putReleasePipeline', () => {
  it('replaces all that a caller can set; what is left out is reset (D20)', async () => {
    const { addPipeline, putPipeline, getPipeline, pass } = await releaseProject()
    const before = await addPipeline('usual', { description: 'Long', tags: ['a'], isLegacy: true })
    pass(5_000)
    const after = await putPipeline('usual', {
      name: 'Short',
      phases: [{ name: 'Now', audiences: [audience('production')], configuration: { a: 1 } }],
    })
    expect(after).toMatchObject({
      key: 'usual',
      name: 'Short',
      description: '',
      tags: [],
      createdAt: before.createdAt,
      _version: 2,
      isProjectDefault: true,
      _isLegacy: true,
    })
    expect(after.phases).toEqual([
      {
        id: before.phases[0]?.id,
        name: 'Now',
        audiences: [{ name: 'All of production', environment: expect.anything(), segmentKeys: [] }],
        configuration: { a: 1 },
      },
    ])
    expect(await getPipeline('usual')).toEqual(after)
  })

  it('keeps the ids of phases that stay in their places, and gives new ones new ids', async () => {
    const { addPipeline, putPipeline } = await releaseProject()
    const before = await addPipeline('usual')
    const phases = [...twoPhases, { name: 'Late', audiences: [] }]
    const after = await putPipeline('usual', { phases })
    const ids = after.phases.map(({ id }) => id)
    expect(ids.slice(0, 2)).toEqual(before.phases.map(({ id }) => id))
    expect(new Set(ids).size).toBe(3)
  })

  it('is 404 when there is none, and makes none', async () => {
    const { putPipeline, listPipelines } = await releaseProject()
    expect(await failureOf(putPipeline('gone'))).toEqual({
      code: 'not_found',
      message: 'Invalid resource identifier',
    })
    expect((await listPipelines()).totalCount).toBe(0)
  })

  it.each([
    ['phases.0.audiences.0.environmentKey', audience('nowhere')],
    ['phases.0.audiences.0.segmentKeys.0', audience('test', { segmentKeys: ['gone'] })],
  ])('names what is not there: %s', async (attribute, one) => {
    const { addPipeline, putPipeline, getPipeline } = await releaseProject()
    const before = await addPipeline('usual')
    const fault = await faultOf(putPipeline('usual', { phases: [{ name: 'One', audiences: [one] }] }))
    expect(fault.attribute).toBe(attribute)
    expect(await getPipeline('usual')).toEqual(before)
  })

  it('demands name and phases, and tells of both at once', async () => {
    const { addPipeline, api, at, as } = await releaseProject()
    await addPipeline('usual')
    const { errors } = await failureOf(api.putReleasePipeline({ ...at('usual'), body: {} as never }, { as }))
    expect(errors).toEqual([
      { attribute: 'name', reason: 'must be present' },
      { attribute: 'phases', reason: 'must be present' },
    ])
  })

  it('does not take a key', async () => {
    const { addPipeline, putPipeline } = await releaseProject()
    await addPipeline('usual')
    expect(await faultOf(putPipeline('usual', { key: 'other' }))).toEqual({
      attribute: 'key',
      reason: 'is not a known member',
    })
  })

  it('loses against a change that came between', async () => {
    const { addPipeline, putPipeline, getPipeline } = await releaseProject()
    await addPipeline('usual')
    const both = await Promise.allSettled([putPipeline('usual', { name: 'A' }), putPipeline('usual', { name: 'B' })])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await getPipeline('usual'))._version).toBe(2)
  })
})

describe('patchReleasePipeline', () => {
  it('changes name, description, tags and phases', async () => {
    const { addPipeline, patchPipeline } = await releaseProject()
    const before = await addPipeline('usual', { description: 'Long', tags: ['a'] })
    const after = await patchPipeline('usual', [
      { op: 'replace', path: '/name', value: 'Other' },
      { op: 'remove', path: '/description' },
      { op: 'add', path: '/tags/-', value: 'b' },
      { op: 'replace', path: '/phases/0/name', value: 'Staff' },
      { op: 'move', from: '/phases/1', path: '/phases/0' },
      { op: 'add', path: '/phases/-', value: { name: 'Late', audiences: [audience('test')] } },
    ])
    expect(after).toMatchObject({ name: 'Other', description: '', tags: ['a', 'b'], _version: 2 })
    expect(after.phases.map(({ name }) => name)).toEqual(['Everybody', 'Staff', 'Late'])
    expect(after.phases.map(({ id }) => id)).toEqual([before.phases[1]?.id, before.phases[0]?.id, expect.any(String)])
  })

  it.each([
    ['an id that no phase has', [{ op: 'replace', path: '/phases/0/id', value: 'mine' }], 'phases.0.id'],
    ['a phase twice', [{ op: 'copy', from: '/phases/0', path: '/phases/1' }], 'phases.1.id'],
    [
      'an environment that is not there',
      [{ op: 'replace', path: '/phases/0/audiences/0/environmentKey', value: 'nowhere' }],
      'phases.0.audiences.0.environmentKey',
    ],
    ['no phases', [{ op: 'replace', path: '/phases', value: [] }], 'phases'],
  ])('refuses %s', async (_, operations, attribute) => {
    const { addPipeline, patchPipeline } = await releaseProject()
    await addPipeline('usual')
    expect((await faultOf(patchPipeline('usual', operations))).attribute).toBe(attribute)
  })

  it.each(['/key', '/isProjectDefault', '/_isLegacy', '/isLegacy', '/createdAt', '/holds', '/id'])(
    'does not touch %s',
    async (path) => {
      const { addPipeline, patchPipeline } = await releaseProject()
      await addPipeline('usual')
      expect(await failureOf(patchPipeline('usual', [{ op: 'add', path, value: 'x' }]))).toMatchObject({
        code: 'invalid_request',
      })
    },
  )

  it('is 409 when a test does not hold', async () => {
    const { addPipeline, patchPipeline } = await releaseProject()
    await addPipeline('usual')
    expect(await failureOf(patchPipeline('usual', [{ op: 'test', path: '/name', value: 'x' }]))).toMatchObject({
      code: 'optimistic_locking_error',
    })
  })
})

describe('the default release pipeline', () => {
  const setDefault = (value: unknown) => [{ op: 'replace', path: '/defaultReleasePipelineKey', value }]

  it('is changed by a patch of the project, with a right of its own', async () => {
    const { addPipeline, getPipeline, api } = await releaseProject()
    await addPipeline('a')
    await addPipeline('b')
    const patch = (actions: string[]) =>
      api.patchProject({ projectKey: 'web', body: setDefault('b') }, { as: editor(actions, 'proj/web') })
    expect(await failureOf(patch(['updateProjectName']))).toMatchObject({ code: 'forbidden' })
    expect((await patch(['updateDefaultReleasePipeline'])).defaultReleasePipelineKey).toBe('b')
    expect((await getPipeline('a')).isProjectDefault).toBe(false)
    expect((await getPipeline('b')).isProjectDefault).toBe(true)
  })

  it.each([
    ['a pipeline that is not there', setDefault('gone')],
    ['none', [{ op: 'remove', path: '/defaultReleasePipelineKey' }]],
  ])('cannot become %s', async (_, body) => {
    const { addPipeline, api, as } = await releaseProject()
    await addPipeline('a')
    expect(await faultOf(api.patchProject({ projectKey: 'web', body }, { as }))).toEqual({
      attribute: 'defaultReleasePipelineKey',
      reason: 'must be the key of a release pipeline of the project',
    })
  })

  it('cannot be deleted, and what is deleted cannot become it meanwhile', async () => {
    const { addPipeline, deletePipeline, listPipelines, api, as } = await releaseProject()
    await addPipeline('a')
    await addPipeline('b')
    expect(await failureOf(deletePipeline('a'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'a is the default release pipeline of the project',
    })
    const patched = api.patchProject({ projectKey: 'web', body: setDefault('b') }, { as })
    const both = await Promise.allSettled([patched, deletePipeline('b')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { defaultReleasePipelineKey } = await api.getProject({ projectKey: 'web' }, { as })
    expect((await listPipelines()).items.map(({ key }) => key)).toContain(defaultReleasePipelineKey)
  })
})

describe('deleteReleasePipeline', () => {
  it('deletes, once', async () => {
    const { addPipeline, deletePipeline, getPipeline } = await releaseProject()
    await addPipeline('a')
    await addPipeline('b')
    await deletePipeline('b')
    expect(await failureOf(getPipeline('b'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(deletePipeline('b'))).toMatchObject({ code: 'not_found' })
  })

  it('is told in the change log as what it is', async () => {
    const { addPipeline, deletePipeline, api, as, pass } = await releaseProject()
    await addPipeline('a')
    pass(1)
    await addPipeline('b')
    pass(1)
    await deletePipeline('b')
    const { items } = await api.listChangeLog({ limit: 2 }, { as })
    expect(items.map(({ kind, name, accesses: [first] }) => [kind, name, first])).toEqual([
      ['release-pipeline', 'b', { action: 'deleteReleasePipeline', resource: 'proj/web:release-pipeline/b' }],
      ['release-pipeline', 'b', { action: 'createReleasePipeline', resource: 'proj/web:release-pipeline/b' }],
    ])
  })
})
