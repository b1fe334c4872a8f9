import { describe, expect, it } from 'vitest'
import { allow, failureOf, faultOf, start } from '../flags/test/flag-project.ts'
import { audience, releaseProject } from '../release-pipelines/test/release-project.ts'

/** The flag `checkout` in a pipeline of these phases. */
async function releasing(phases: readonly object[], more: object = {}) {
  const project = await releaseProject()
  await project.create('checkout')
  for (const environmentKey of ['production', 'test']) await project.segment('beta', environmentKey)
  await project.addPipeline('usual', { name: 'Usual', phases, ...more })
  const { phases: shown } = await project.release('checkout', 'usual')
  return { ...project, ids: shown.map(({ _id }) => _id) }
}

const everywhere = [{ name: 'One', audiences: [audience('test'), audience('production')] }]
const inTurn = [
  { name: 'Testing', audiences: [audience('test')] },
  { name: 'Beta', audiences: [audience('production', { segmentKeys: ['beta'] })] },
  { name: 'Everybody', audiences: [audience('production')] },
]
const betaOnly = inTurn.slice(1, 2)

describe('starting a phase', () => {
  it('turns the flag on and serves the variation, where its audiences are and nowhere else', async () => {
    const { advance, get, pass } = await releasing(inTurn)
    pass(50)
    const { phases, _version } = await advance('checkout', 0, 'Started')
    expect(phases[0]).toMatchObject({ status: 'Started', started: true, _startedDate: String(start + 50) })
    expect(_version).toBe(2)
    const { environments } = await get('checkout')
    expect(environments?.test).toMatchObject({ on: true, fallthrough: { variation: 0 }, rules: [] })
    expect(environments?.production).toMatchObject({ on: false, version: 1 })
  })

  it('serves segments by a rule, and all others what they got while the flag was off', async () => {
    const { advance, get } = await releasing(betaOnly)
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

  it('leaves what everybody else gets as it is where the flag was on', async () => {
    const { advance, get, instruct } = await releasing(betaOnly)
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

  it('serves the other variation to all others where the flag served none while it was off', async () => {
    const { advance, get, patch } = await releasing(betaOnly)
    await patch('checkout', [{ op: 'remove', path: '/environments/production/offVariation' }])
    await advance('checkout', 0, 'Started')
    expect((await get('checkout')).environments?.production?.fallthrough).toEqual({ variation: 1 })
  })

  it('serves several audiences of one environment together', async () => {
    const both = [audience('production', { segmentKeys: ['beta'] }), audience('production')]
    const { advance, get } = await releasing([{ name: 'One', audiences: both }])
    await advance('checkout', 0, 'Started')
    const production = (await get('checkout')).environments?.production
    expect(production).toMatchObject({ on: true, fallthrough: { variation: 0 } })
    expect(production?.rules).toHaveLength(1)
  })

  it('lets segments know of the flag that targets them', async () => {
    const { advance, api, as } = await releasing(betaOnly)
    await advance('checkout', 0, 'Started')
    const keys = { projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }
    expect((await api.getSegment(keys, { as }))._flags?.map(({ key }) => key)).toEqual(['checkout'])
    expect(await failureOf(api.deleteSegment(keys, { as }))).toMatchObject({ code: 'optimistic_locking_error' })
  })

  it('passes over an environment that is gone', async () => {
    const { advance, api, as, get } = await releasing(everywhere)
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'test' }, { as })
    const { phases } = await advance('checkout', 0, 'Started')
    expect(phases[0]?._audiences.map((one) => one.environment?.key)).toEqual([undefined, 'production'])
    expect((await get('checkout')).environments?.production?.on).toBe(true)
  })

  it('changes nothing at all where a segment is gone', async () => {
    const audiences = [audience('test'), audience('production', { segmentKeys: ['beta'] })]
    const { advance, api, as, get, getRelease } = await releasing([{ name: 'One', audiences }])
    const before = [await get('checkout'), await getRelease('checkout')]
    await api.deleteSegment({ projectKey: 'web', environmentKey: 'production', segmentKey: 'beta' }, { as })
    expect(await faultOf(advance('checkout', 0, 'Started'))).toEqual({
      attribute: 'environments.production.rules',
      reason: 'must name segments of the environment: beta is none',
    })
    expect([await get('checkout'), await getRelease('checkout')]).toEqual(before)
  })

  it('needs a variation that is still there', async () => {
    const { advance, patch, get } = await releasing(inTurn)
    const still = (key: string) => ({
      op: 'replace',
      path: `/environments/${key}/fallthrough`,
      value: { variation: 1 },
    })
    const defaults = { op: 'replace', path: '/defaults', value: { onVariation: 1, offVariation: 1 } }
    await patch('checkout', [defaults, still('test'), still('production')])
    await patch('checkout', [{ op: 'replace', path: '/variations/0', value: { value: true } }])
    expect(await faultOf(advance('checkout', 0, 'Started'))).toEqual({
      attribute: 'releaseVariationId',
      reason: 'must be the _id of a variation of the flag: replace the release to serve another one',
    })
    expect((await get('checkout')).environments?.test?.on).toBe(false)
  })

  it('is commented where the environment wants that', async () => {
    const { advance, api, as, get, pass } = await releasing(inTurn)
    await api.patchEnvironment(
      { projectKey: 'web', environmentKey: 'test', body: [{ op: 'replace', path: '/requireComments', value: true }] },
      { as },
    )
    expect(await faultOf(advance('checkout', 0, 'Started'))).toMatchObject({ attribute: 'comment' })
    expect((await get('checkout')).environments?.test?.on).toBe(false)
    pass(1)
    const { phases } = await advance('checkout', 0, 'Started', { comment: 'they asked for it' })
    expect(phases[0]?.status).toBe('Started')
    const { items } = await api.listChangeLog({ limit: 1 }, { as })
    expect(items[0]?.comment).toBe('they asked for it')
  })

  it('needs the right to the release and to each change of the flag, there', async () => {
    const { advance, get, getRelease } = await releasing(inTurn)
    const by = (...statements: [string[], string][]) => ({
      policy: [allow(['viewProject'], ['proj/*']), ...statements.map(([actions, one]) => allow(actions, [one]))],
    })
    const phase: [string[], string] = [['updateReleasePhaseStatus'], 'proj/web:env/*:flag/checkout']
    const on = (environment: string): [string[], string] => [['updateOn'], `proj/web:env/${environment}:flag/*`]
    for (const caller of [by(phase), by(on('test')), by(phase, on('production'))]) {
      expect(await failureOf(advance('checkout', 0, 'Started', {}, caller))).toMatchObject({ code: 'forbidden' })
    }
    expect((await get('checkout')).environments?.test?.on).toBe(false)
    expect((await getRelease('checkout'))._version).toBe(1)
    const { phases } = await advance('checkout', 0, 'Started', {}, by(phase, on('test')))
    expect(phases[0]?.status).toBe('Started')
  })

  it('takes what its audiences are to be configured with', async () => {
    const configuration = { releaseStrategy: 'own', requireApproval: true, notifyTeamKeys: [], notifyMemberIds: [] }
    const audiences = [audience('test', { configuration }), audience('production')]
    const { getRelease, getPipeline, advance, memberId } = await releasing([{ name: 'One', audiences }])
    const [first, second] = (await getRelease('checkout')).phases[0]?._audiences ?? []
    const releaseGuardianConfiguration = {
      monitoringWindowMilliseconds: 1,
      rolloutWeight: 5,
      rollbackOnRegression: false,
    }
    const given = [
      { audienceId: first?._id, notifyMemberIds: [memberId] },
      { audienceId: second?._id, releaseGuardianConfiguration },
    ]
    const { phases } = await advance('checkout', 0, 'Started', { audiences: given })
    expect(phases[0]?._audiences.map((one) => one.configuration)).toEqual([
      { ...configuration, notifyMemberIds: [memberId] },
      {
        releaseStrategy: 'monitoredRelease',
        requireApproval: false,
        notifyMemberIds: [],
        notifyTeamKeys: [],
        releaseGuardianConfiguration,
      },
    ])
    const [untouched] = (await getPipeline('usual')).phases[0]?.audiences ?? []
    expect(untouched?.configuration).toEqual(configuration)
  })

  it('names all that is wrong with what it is told', async () => {
    const { advance, getRelease, get } = await releasing(inTurn)
    const id = (await getRelease('checkout')).phases[1]?._audiences[0]?._id
    const audiences = [
      { audienceId: id, notifyMemberIds: ['nobody'] },
      { audienceId: id, notifyTeamKeys: ['none'] },
      { audienceId: 'none' },
    ]
    const unknown = 'must be the _id of an audience of the phase, once'
    expect((await failureOf(advance('checkout', 1, 'Started', { audiences }))).errors).toEqual([
      { attribute: 'status', reason: 'must wait until the phases before it are complete' },
      { attribute: 'audiences.1.audienceId', reason: unknown },
      { attribute: 'audiences.2.audienceId', reason: unknown },
      { attribute: 'audiences.0.notifyMemberIds.0', reason: 'must be the id of a member' },
      { attribute: 'audiences.1.notifyTeamKeys.0', reason: 'must be the key of a team' },
    ])
    expect((await get('checkout')).environments?.production?.on).toBe(false)
  })

  it('happens once, of two that come at once', async () => {
    const { advance, get } = await releasing(betaOnly)
    const both = await Promise.allSettled([advance('checkout', 0, 'Started'), advance('checkout', 0, 'Started')])
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true)
    expect((await get('checkout')).environments?.production?.rules).toHaveLength(1)
  })
})

describe('taking a release through its phases', () => {
  it('opens the next one as each is completed, and ends with the last', async () => {
    const { advance, get, memberId, pass } = await releasing(inTurn)
    const statuses: string[][] = []
    for (const phase of [0, 1, 2]) {
      for (const status of ['Started', 'Complete']) {
        pass(10)
        const { phases } = await advance('checkout', phase, status)
        statuses.push(phases.map((one) => one.status))
      }
    }
    expect(statuses).toEqual([
      ['Started', 'NotStarted', 'NotStarted'],
      ['Complete', 'ReadyToStart', 'NotStarted'],
      ['Complete', 'Started', 'NotStarted'],
      ['Complete', 'Complete', 'ReadyToStart'],
      ['Complete', 'Complete', 'Started'],
      ['Complete', 'Complete', 'Complete'],
    ])
    const { phases } = await advance('checkout', 2, 'Complete')
    expect(phases[2]).toMatchObject({
      complete: true,
      started: true,
      _startedDate: String(start + 50),
      _completionDate: String(start + 60),
      _completedBy: { member: { _id: memberId, _links: { self: { href: `/api/v2/members/${memberId}` } } } },
    })
    expect((await get('checkout')).environments?.production?.fallthrough).toEqual({ variation: 0 })
  })

  it('does not touch the flag when a phase goes on after a pause', async () => {
    const { advance, get, instruct } = await releasing(inTurn)
    await advance('checkout', 0, 'Started')
    await advance('checkout', 0, 'Paused')
    await instruct('checkout', [{ kind: 'turnFlagOff' }], { environmentKey: 'test' })
    const before = await get('checkout')
    const { phases } = await advance('checkout', 0, 'Started')
    expect(phases[0]).toMatchObject({ status: 'Started', _startedDate: String(start) })
    expect(await get('checkout')).toEqual(before)
  })

  it('changes nothing where a phase stands already', async () => {
    const { advance, getRelease, get } = await releasing(inTurn)
    await advance('checkout', 0, 'Started')
    const before = [await get('checkout'), await getRelease('checkout')]
    await advance('checkout', 0, 'Started')
    await advance('checkout', 1, 'NotStarted')
    expect([await get('checkout'), await getRelease('checkout')]).toEqual(before)
  })

  it.each([
    [0, 'Complete', 'must be Started, not Complete, after ReadyToStart'],
    [0, 'Paused', 'must be Started, not Paused, after ReadyToStart'],
    [1, 'Started', 'must wait until the phases before it are complete'],
    [0, 'Done', 'must be one of "NotStarted", "ReadyToStart", "Started", "Paused", "Complete"'],
  ])('refuses what is out of order: phase %i %s', async (phase, status, reason) => {
    const { advance } = await releasing(inTurn)
    expect(await faultOf(advance('checkout', phase, status))).toEqual({ attribute: 'status', reason })
  })

  it('knows no phase of another pipeline', async () => {
    const { api, ofFlag, as, addPipeline } = await releasing(inTurn)
    const other = await addPipeline('other')
    const phaseId = other.phases[0]?.id as string
    const call = api.putPhaseStatus({ ...ofFlag('checkout'), phaseId, body: { status: 'Started' } }, { as })
    expect(await failureOf(call)).toMatchObject({ code: 'not_found' })
  })
})

describe('patchRelease', () => {
  const complete = (at: number, value: unknown = true) => [{ op: 'replace', path: `/phases/${at}/complete`, value }]

  it('completes phases of a legacy pipeline, each started first', async () => {
    const { api, ofFlag, as, get } = await releasing(inTurn, { isLegacy: true })
    const patch = (body: object[]) => api.patchRelease({ ...ofFlag('checkout'), body: body as never }, { as })
    expect((await patch(complete(0))).phases.map(({ status }) => status)).toEqual([
      'Complete',
      'ReadyToStart',
      'NotStarted',
    ])
    expect((await get('checkout')).environments?.test?.on).toBe(true)
    const { phases } = await patch([...complete(1), ...complete(2)])
    expect(phases.map((one) => one.complete)).toEqual([true, true, true])
    const production = (await get('checkout')).environments?.production
    expect(production).toMatchObject({ on: true, fallthrough: { variation: 0 } })
    expect(production?.rules).toHaveLength(1)
  })

  it.each([
    [
      'a phase whose turn it is not',
      complete(1),
      'phases.1.complete',
      'must wait until the phases before it are complete',
    ],
    ['what is no boolean', complete(0, 'yes'), 'phases.0.complete', 'must be a boolean'],
    ['to leave it open', [{ op: 'remove', path: '/phases/0/complete' }], 'phases.0.complete', 'must be present'],
  ])('refuses %s', async (_, body, attribute, reason) => {
    const { api, ofFlag, as } = await releasing(inTurn, { isLegacy: true })
    expect(await faultOf(api.patchRelease({ ...ofFlag('checkout'), body: body as never }, { as }))).toEqual({
      attribute,
      reason,
    })
  })

  it('takes nothing back', async () => {
    const { api, ofFlag, as } = await releasing(inTurn, { isLegacy: true })
    await api.patchRelease({ ...ofFlag('checkout'), body: complete(0) }, { as })
    expect(await faultOf(api.patchRelease({ ...ofFlag('checkout'), body: complete(0, false) }, { as }))).toEqual({
      attribute: 'phases.0.complete',
      reason: 'must stay true: a phase is completed once and for all',
    })
  })

  it('is not for other pipelines, nor for other members', async () => {
    const { api, ofFlag, as } = await releasing(inTurn)
    const patch = (body: object[]) => api.patchRelease({ ...ofFlag('checkout'), body: body as never }, { as })
    expect((await faultOf(patch(complete(0)))).reason).toContain('must not be patched but in a legacy pipeline')
    for (const path of ['/phases/0/status', '/phases/0', '/releasePipelineKey', '/phases/-']) {
      expect(await failureOf(patch([{ op: 'add', path, value: true }]))).toMatchObject({ code: 'invalid_request' })
    }
  })
})
