import { describe, expect, it } from 'vitest'
import { allow, failureOf, start, validationErrorOf } from '../flags/test/flag-project.ts'
import { audience } from '../release-pipelines/test/release-project.ts'
import { allEnvironments, betaOnly, releasingProject, threePhases } from './test/releasing-project.ts'

describe('starting a phase', () => {
  it('turns the flag on and serves the variation, only in the environments of its audiences', async () => {
    const { advance, get, pass } = await releasingProject(threePhases)
    pass(50)
    const { phases, _version } = await advance('checkout', 0, 'Started')
    expect(phases[0]).toMatchObject({ status: 'Started', started: true, _startedDate: String(start + 50) })
    expect(_version).toBe(2)
    const { environments } = await get('checkout')
    expect(environments?.test).toMatchObject({ on: true, fallthrough: { variation: 0 }, rules: [] })
    expect(environments?.production).toMatchObject({ on: false, version: 1 })
  })

  it('serves segments by a rule, and all other contexts the value that they got while the flag was off', async () => {
    const { advance, get } = await releasingProject(betaOnly)
    const { phases } = await advance('checkout', 0, 'Started')
    const production = (await get('checkout')).environments?.production
    expect(production).toMatchObject({ on: true, fallthrough: { variation: 1 } })
    expect(production?.rules).toEqual([
      {
        _id: phases[0]?._audiences[0]?._ruleIds[0],
        description: 'Release to All of production',
        clauses: [
          {
            _id: expect.any(String),
            attribute: '',
            op: 'segmentMatch',
            values: ['beta'],
            negate: false,
            contextKind: 'user',
          },
        ],
        variation: 0,
        trackEvents: false,
      },
    ])
  })

  it('does not change the fallthrough when the flag was on', async () => {
    const { advance, get, instruct } = await releasingProject(betaOnly)
    const [on, off] = (await get('checkout')).variations
    const rolloutWeights = { [on?._id as string]: 20_000, [off?._id as string]: 80_000 }
    await instruct('checkout', [
      { kind: 'turnFlagOn' },
      { kind: 'updateFallthroughVariationOrRollout', rolloutWeights },
    ])
    const { fallthrough } = (await get('checkout')).environments?.production ?? {}
    await advance('checkout', 0, 'Started')
    const after = (await get('checkout')).environments?.production
    expect(after?.fallthrough).toEqual(fallthrough)
    expect(after?.rules).toHaveLength(1)
  })

  it('serves the other variation to all other contexts when the flag had no off variation', async () => {
    const { advance, get, patch } = await releasingProject(betaOnly)
    await patch('checkout', [{ op: 'remove', path: '/environments/production/offVariation' }])
    await advance('checkout', 0, 'Started')
    expect((await get('checkout')).environments?.production?.fallthrough).toEqual({ variation: 1 })
  })

  it('serves several audiences of one environment', async () => {
    const audiences = [audience('production', { segmentKeys: ['beta'] }), audience('production')]
    const { advance, get } = await releasingProject([{ name: 'One', audiences }])
    await advance('checkout', 0, 'Started')
    const production = (await get('checkout')).environments?.production
    expect(production).toMatchObject({ on: true, fallthrough: { variation: 0 } })
    expect(production?.rules).toHaveLength(1)
  })

  it('updates the references of the segments', async () => {
    const { advance, api, as } = await releasingProject(betaOnly)
    await advance('checkout', 0, 'Started')
    const keys = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    expect((await api.getSegment(keys, { as }))._flags?.map(({ key }) => key)).toEqual(['checkout'])
    expect(await failureOf(api.deleteSegment(keys, { as }))).toMatchObject({ code: 'optimistic_locking_error' })
  })

  it('skips a deleted environment', async () => {
    const { advance, api, as, get } = await releasingProject(allEnvironments)
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'test', detach: true }, { as })
    const { phases } = await advance('checkout', 0, 'Started')
    expect(phases[0]?._audiences.map((item) => item.environment?.key)).toEqual(['production'])
    expect((await get('checkout')).environments?.production?.on).toBe(true)
  })

  it('skips an audience whose only segment was deleted', async () => {
    const audiences = [audience('test'), audience('production', { segmentKeys: ['beta'] })]
    const { advance, api, as, get } = await releasingProject([{ name: 'One', audiences }])
    const before = (await get('checkout')).environments?.production
    const keys = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    await api.deleteSegment({ ...keys, detach: true }, { as })
    const { phases } = await advance('checkout', 0, 'Started')
    expect(phases[0]?._audiences.map((item) => item.environment?.key)).toEqual(['test'])
    expect((await get('checkout')).environments?.production).toEqual(before)
  })

  it('requires that the variation still exists', async () => {
    const { advance, patch, get } = await releasingProject(threePhases)
    const servesOther = (key: string) => ({
      op: 'replace',
      path: `/environments/${key}/fallthrough`,
      value: { variation: 1 },
    })
    const defaults = { op: 'replace', path: '/defaults', value: { onVariation: 1, offVariation: 1 } }
    await patch('checkout', [defaults, servesOther('test'), servesOther('production')])
    await patch('checkout', [{ op: 'replace', path: '/variations/0', value: { value: true } }])
    expect(await validationErrorOf(advance('checkout', 0, 'Started'))).toEqual({
      attribute: 'releaseVariationId',
      reason: 'must be the _id of a variation of the flag: replace the release to serve another one',
    })
    expect((await get('checkout')).environments?.test?.on).toBe(false)
  })

  it('requires a comment when the environment requires comments', async () => {
    const { advance, api, as, get, pass } = await releasingProject(threePhases)
    await api.patchEnvironment(
      { projectKey: 'web', environmentKey: 'test', body: [{ op: 'replace', path: '/requireComments', value: true }] },
      { as },
    )
    expect(await validationErrorOf(advance('checkout', 0, 'Started'))).toMatchObject({ attribute: 'comment' })
    expect((await get('checkout')).environments?.test?.on).toBe(false)
    pass(1)
    const { phases } = await advance('checkout', 0, 'Started', { comment: 'they asked for it' })
    expect(phases[0]?.status).toBe('Started')
    const { items } = await api.listChangeLog({ limit: 1 }, { as })
    expect(items[0]?.comment).toBe('they asked for it')
  })

  it('requires permissions for the release and for each change of the flag', async () => {
    const { advance, get, getRelease } = await releasingProject(threePhases)
    const callerWith = (...statements: [string[], string][]) => ({
      policy: [allow(['viewProject'], ['proj/*']), ...statements.map(([actions, item]) => allow(actions, [item]))],
    })
    const phase: [string[], string] = [['updateReleasePhaseStatus'], 'proj/web:env/*:flag/checkout']
    const on = (environment: string): [string[], string] => [['updateOn'], `proj/web:env/${environment}:flag/*`]
    for (const caller of [callerWith(phase), callerWith(on('test')), callerWith(phase, on('production'))]) {
      expect(await failureOf(advance('checkout', 0, 'Started', {}, caller))).toMatchObject({ code: 'forbidden' })
    }
    expect((await get('checkout')).environments?.test?.on).toBe(false)
    expect((await getRelease('checkout'))._version).toBe(1)
    const { phases } = await advance('checkout', 0, 'Started', {}, callerWith(phase, on('test')))
    expect(phases[0]?.status).toBe('Started')
  })

  it('sets the configurations of its audiences', async () => {
    const configuration = { releaseStrategy: 'own', requireApproval: true, notifyTeamKeys: [], notifyMemberIds: [] }
    const audiences = [audience('test', { configuration }), audience('production')]
    const { getRelease, getPipeline, advance, memberId } = await releasingProject([{ name: 'One', audiences }])
    const [first, second] = (await getRelease('checkout')).phases[0]?._audiences ?? []
    const releaseGuardianConfiguration = {
      monitoringWindowMilliseconds: 1,
      rolloutWeight: 5,
      rollbackOnRegression: false,
    }
    const audienceSettings = [
      { audienceId: first?._id, notifyMemberIds: [memberId] },
      { audienceId: second?._id, releaseGuardianConfiguration },
    ]
    const { phases } = await advance('checkout', 0, 'Started', { audiences: audienceSettings })
    expect(phases[0]?._audiences.map((item) => item.configuration)).toEqual([
      { ...configuration, notifyMemberIds: [memberId] },
      {
        releaseStrategy: 'monitoredRelease',
        requireApproval: false,
        notifyMemberIds: [],
        notifyTeamKeys: [],
        releaseGuardianConfiguration,
      },
    ])
    const [pipelineAudience] = (await getPipeline('usual')).phases[0]?.audiences ?? []
    expect(pipelineAudience?.configuration).toEqual(configuration)
  })

  it('reports all validation errors', async () => {
    const { advance, getRelease, get } = await releasingProject(threePhases)
    const id = (await getRelease('checkout')).phases[1]?._audiences[0]?._id
    const audiences = [
      { audienceId: id, notifyMemberIds: ['nobody'] },
      { audienceId: id, notifyTeamKeys: ['none'] },
      { audienceId: 'none' },
    ]
    const idReason = 'must be the _id of an audience of the phase and must not be repeated'
    expect((await failureOf(advance('checkout', 1, 'Started', { audiences }))).errors).toEqual([
      { attribute: 'status', reason: 'must wait until the phases before it are complete' },
      { attribute: 'audiences.1.audienceId', reason: idReason },
      { attribute: 'audiences.2.audienceId', reason: idReason },
      { attribute: 'audiences.0.notifyMemberIds.0', reason: 'must be the id of a member' },
      { attribute: 'audiences.1.notifyTeamKeys.0', reason: 'must be the key of a team' },
    ])
    expect((await get('checkout')).environments?.production?.on).toBe(false)
  })

  it('changes the flag once when two calls run concurrently', async () => {
    const { advance, get } = await releasingProject(betaOnly)
    const audiences = await Promise.allSettled([advance('checkout', 0, 'Started'), advance('checkout', 0, 'Started')])
    expect(audiences.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect((await get('checkout')).environments?.production?.rules).toHaveLength(1)
  })
})
