import { describe, expect, it } from 'vitest'
import { editor, failureOf, validationErrorOf } from '../flags/test/flag-project.ts'
import { audience, guardian, releaseProject, twoPhases } from './test/release-project.ts'

describe('createReleasePipeline', () => {
  it('makes the first pipeline the default of the project, and a later one on request', async () => {
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

  it('requires the right to change the default only when the project has one', async () => {
    const { addPipeline, listPipelines } = await releaseProject()
    const creator = editor(['createReleasePipeline'], 'proj/*:release-pipeline/*')
    await addPipeline('a', { isProjectDefault: true }, creator)
    expect(await failureOf(addPipeline('b', { isProjectDefault: true }, creator))).toMatchObject({ code: 'forbidden' })
    await addPipeline('c', {}, creator)
    expect((await listPipelines()).items.map(({ key }) => key)).toEqual(['a', 'c'])
  })

  it('creates a legacy pipeline', async () => {
    const { addPipeline } = await releaseProject()
    expect((await addPipeline('old', { isLegacy: true }))._isLegacy).toBe(true)
  })

  it('responds with 409 when the key is taken', async () => {
    const { addPipeline } = await releaseProject()
    await addPipeline('usual')
    expect(await failureOf(addPipeline('usual'))).toEqual({
      code: 'optimistic_locking_error',
      message: 'There is a release pipeline usual already',
    })
  })

  it('creates at most 20 pipelines in a project, also concurrently', async () => {
    const { addPipeline, listPipelines, deletePipeline } = await releaseProject()
    for (let i = 1; i <= 19; i++) await addPipeline(`p${i}`)
    const outcomes = await Promise.allSettled([addPipeline('x'), addPipeline('y')])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await failureOf(addPipeline('one-more'))).toEqual({
      code: 'invalid_request',
      message: 'A project can have at most 20 release pipelines',
    })
    await deletePipeline('p2')
    await addPipeline('one-more')
    expect((await listPipelines()).totalCount).toBe(20)
  })

  it('responds with 404 for an unknown project', async () => {
    const { api, as } = await releaseProject()
    const body = { key: 'usual', name: 'Usual', phases: twoPhases }
    expect(await failureOf(api.createReleasePipeline({ projectKey: 'gone', body }, { as }))).toMatchObject({
      code: 'not_found',
    })
  })

  it('reports every unknown environment, segment, member and team', async () => {
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
  const configurationWithoutGuardian = { releaseStrategy: 'monitoredRelease', requireApproval: false }

  it.each<[string, object, string, string]>([
    ['no name', { name: undefined }, 'name', 'must be present'],
    ['an empty name', { name: '' }, 'name', 'must not be empty'],
    ['a long name', { name: 'n'.repeat(257) }, 'name', 'must have at most 256 characters'],
    ['an empty list of phases', { phases: undefined }, 'phases', 'must be present'],
    ['an empty list of phases', { phases: [] }, 'phases', 'must contain at least 1 phase'],
    ['eleven phases', { phases: Array(11).fill(twoPhases[0]) }, 'phases', 'must contain at most 10 phases'],
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
      'must contain at most 100 audiences',
    ],
    ['an unknown property', { other: 1 }, 'other', 'is not a known member'],
    ['an invalid key', { key: 'a b' }, 'key', expect.stringContaining('must be 1 to 256 letters') as never],
    [
      'a configuration without strategy',
      withConfiguration({ requireApproval: true }),
      'phases.0.audiences.0.configuration.releaseStrategy',
      'must be present',
    ],
    [
      'a configuration without requireApproval',
      withConfiguration({ releaseStrategy: 'x' }),
      'phases.0.audiences.0.configuration.requireApproval',
      'must be present',
    ],
    [
      'a rollout weight above 100',
      withConfiguration({
        ...configurationWithoutGuardian,
        releaseGuardianConfiguration: { ...guardian, rolloutWeight: 101 },
      }),
      'phases.0.audiences.0.configuration.releaseGuardianConfiguration.rolloutWeight',
      'must be at most 100',
    ],
    [
      'a negative monitoring window',
      withConfiguration({
        ...configurationWithoutGuardian,
        releaseGuardianConfiguration: { ...guardian, monitoringWindowMilliseconds: -1 },
      }),
      'phases.0.audiences.0.configuration.releaseGuardianConfiguration.monitoringWindowMilliseconds',
      'must not be negative',
    ],
  ])('rejects %s', async (_, overrides, attribute, reason) => {
    const { addPipeline } = await releaseProject()
    expect(await validationErrorOf(addPipeline('usual', overrides))).toEqual({ attribute, reason })
  })

  it('rejects more than the maximum number of references', async () => {
    const { addPipeline } = await releaseProject()
    const notifyMemberIds = Array.from({ length: 1000 }, (_, i) => `m${i}`)
    const configuration = { ...configurationWithoutGuardian, notifyMemberIds }
    const phases = [{ name: 'One', audiences: Array(6).fill(audience('test', { configuration })) }]
    expect(await validationErrorOf(addPipeline('usual', { phases }))).toEqual({
      attribute: 'phases',
      reason: 'must not refer to more than 5000 environments, segments, members and teams',
    })
  })

  it.each([
    ['NUL', '{"name":"a\\u0000"}'],
    ['a lone surrogate', '{"name":"\\ud800"}'],
    ['a name of a property that every object inherits', '{"name":"a","configuration":{"__proto__":{"x":1}}}'],
  ])('rejects %s in a phase', async (_, phase) => {
    const { send } = await releaseProject()
    const phases = [{ audiences: [], ...JSON.parse(phase) }]
    const body = { key: 'usual', name: 'Usual', phases }
    const response = await send('POST', '/api/v2/projects/web/release-pipelines', { body })
    expect(response.status).toBe(400)
  })
})
