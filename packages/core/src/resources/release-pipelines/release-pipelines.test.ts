import { describe, expect, it } from 'vitest'
import { allow, editor, failureOf, start, validationErrorOf } from '../flags/test/flag-project.ts'
import { audience, guardian, releaseProject, twoPhases } from './test/release-project.ts'

const json = 'application/json'

describe('a release pipeline in a response', () => {
  it('has every field of docs/specification.md', async () => {
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

  it('has no audience in an environment that was deleted with its references', async () => {
    const { addPipeline, getPipeline, patchPipeline, api, as } = await releaseProject()
    await addPipeline('usual')
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'test', detach: true }, { as })
    expect((await getPipeline('usual')).phases[0]?.audiences).toEqual([])
    await patchPipeline('usual', [{ op: 'replace', path: '/name', value: 'Still there' }])
    expect((await getPipeline('usual')).name).toBe('Still there')
  })

  it('is created with 201 and its version as ETag, without a beta header', async () => {
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

describe('listReleasePipelines', () => {
  it('returns pages by name, and filters by text and environment', async () => {
    const { addPipeline, listPipelines } = await releaseProject()
    await addPipeline('b', { name: 'Beta first' })
    await addPipeline('a', { name: 'All immediately', phases: [{ name: 'One', audiences: [audience('production')] }] })
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

  it('rejects an unknown filter', async () => {
    const { listPipelines } = await releaseProject()
    expect(await validationErrorOf(listPipelines({ filter: 'tag:x' }))).toMatchObject({ attribute: 'filter' })
  })

  it('requires viewProject', async () => {
    const { api } = await releaseProject()
    const otherProjectViewer = { as: { policy: [allow(['viewProject'], ['proj/other'])] } }
    expect(await failureOf(api.listReleasePipelines({ projectKey: 'web' }, otherProjectViewer))).toMatchObject({
      code: 'forbidden',
    })
  })
})

describe('putReleasePipeline', () => {
  it('increases the version by one even when nothing differs, but then adds no change log entry', async () => {
    const { addPipeline, putPipeline, getPipeline, api, as } = await releaseProject()
    await addPipeline('usual')
    const entries = async () => (await api.listChangeLog({}, { as })).items.length
    const before = await entries()
    expect((await putPipeline('usual'))._version).toBe(2)
    expect(await entries()).toBe(before)
    expect((await putPipeline('usual', { description: 'New' }))._version).toBe(3)
    expect((await getPipeline('usual'))._version).toBe(3)
  })
})

describe('the phases of a release pipeline', () => {
  const phasesOf = (...names: string[]) => names.map((name) => ({ name, audiences: [audience('test')] }))
  const error = { attribute: 'phases.2.name', reason: 'must not be the name of an earlier phase' }

  it('have different names', async () => {
    const { addPipeline, putPipeline, patchPipeline } = await releaseProject()
    const phases = phasesOf('A', 'B', 'A')
    expect(await validationErrorOf(addPipeline('new', { phases }))).toEqual(error)
    await addPipeline('usual', { phases: phasesOf('A', 'B', 'C') })
    expect(await validationErrorOf(putPipeline('usual', { phases }))).toEqual(error)
    const rename = [{ op: 'replace', path: '/phases/2/name', value: 'A' }]
    expect(await validationErrorOf(patchPipeline('usual', rename))).toEqual(error)
  })
})

describe('the default release pipeline', () => {
  const setDefault = (value: unknown) => [{ op: 'replace', path: '/defaultReleasePipelineKey', value }]

  it('is changed by a patch of the project, which requires its own action', async () => {
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
    ['an unknown pipeline', setDefault('gone')],
    ['none', [{ op: 'remove', path: '/defaultReleasePipelineKey' }]],
  ])('cannot become %s', async (_, body) => {
    const { addPipeline, api, as } = await releaseProject()
    await addPipeline('a')
    expect(await validationErrorOf(api.patchProject({ projectKey: 'web', body }, { as }))).toEqual({
      attribute: 'defaultReleasePipelineKey',
      reason: 'must be the key of a release pipeline of the project',
    })
  })

  it('cannot be deleted, also when it becomes the default concurrently', async () => {
    const { addPipeline, deletePipeline, listPipelines, api, as } = await releaseProject()
    await addPipeline('a')
    await addPipeline('b')
    expect(await failureOf(deletePipeline('a'))).toEqual({
      code: 'optimistic_locking_error',
      message:
        'The release pipeline a is referred to by project web. To remove these references with it, set detach=true.',
      referrers: [{ kind: 'project', key: 'web', resource: 'proj/web' }],
    })
    const patchCall = api.patchProject({ projectKey: 'web', body: setDefault('b') }, { as })
    const outcomes = await Promise.allSettled([patchCall, deletePipeline('b')])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const { defaultReleasePipelineKey } = await api.getProject({ projectKey: 'web' }, { as })
    expect((await listPipelines()).items.map(({ key }) => key)).toContain(defaultReleasePipelineKey)
  })
})

describe('deleteReleasePipeline', () => {
  it('deletes a pipeline once', async () => {
    const { addPipeline, deletePipeline, getPipeline } = await releaseProject()
    await addPipeline('a')
    await addPipeline('b')
    await deletePipeline('b')
    expect(await failureOf(getPipeline('b'))).toMatchObject({ code: 'not_found' })
    expect(await failureOf(deletePipeline('b'))).toMatchObject({ code: 'not_found' })
  })

  it('creates a change log entry about the pipeline', async () => {
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
