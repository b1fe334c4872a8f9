import { describe, expect, it } from 'vitest'
import { failureOf, start, validationErrorOf } from '../flags/test/flag-project.ts'
import { releasingProject, threePhases } from './test/releasing-project.ts'

describe('the phases of a release', () => {
  it('become ready one after the other, until the last is complete', async () => {
    const { advance, get, memberId, pass } = await releasingProject(threePhases)
    const statuses: string[][] = []
    for (const phase of [0, 1, 2]) {
      for (const status of ['Started', 'Complete']) {
        pass(10)
        const { phases } = await advance('checkout', phase, status)
        statuses.push(phases.map((phaseResponse) => phaseResponse.status))
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

  it('do not change the flag when they continue after a pause', async () => {
    const { advance, get, instruct } = await releasingProject(threePhases)
    await advance('checkout', 0, 'Started')
    await advance('checkout', 0, 'Paused')
    await instruct('checkout', [{ kind: 'turnFlagOff' }], { environmentKey: 'test' })
    const before = await get('checkout')
    const { phases } = await advance('checkout', 0, 'Started')
    expect(phases[0]).toMatchObject({ status: 'Started', _startedDate: String(start) })
    expect(await get('checkout')).toEqual(before)
  })

  it('stay unchanged when they already have the status', async () => {
    const { advance, getRelease, get } = await releasingProject(threePhases)
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
  ])('reject a status that is out of order: phase %i %s', async (phase, status, reason) => {
    const { advance } = await releasingProject(threePhases)
    expect(await validationErrorOf(advance('checkout', phase, status))).toEqual({ attribute: 'status', reason })
  })

  it('are not found by the id of a phase of another pipeline', async () => {
    const { api, ofFlag, as, addPipeline } = await releasingProject(threePhases)
    const otherPipeline = await addPipeline('other')
    const phaseId = otherPipeline.phases[0]?.id as string
    const call = api.putPhaseStatus({ ...ofFlag('checkout'), phaseId, body: { status: 'Started' } }, { as })
    expect(await failureOf(call)).toMatchObject({ code: 'not_found' })
  })
})

describe('patchRelease', () => {
  const completePatch = (index: number, value: unknown = true) => [
    { op: 'replace', path: `/phases/${index}/complete`, value },
  ]

  it('completes phases of a legacy pipeline, and starts them first', async () => {
    const { api, ofFlag, as, get } = await releasingProject(threePhases, { isLegacy: true })
    const patch = (body: object[]) => api.patchRelease({ ...ofFlag('checkout'), body: body as never }, { as })
    expect((await patch(completePatch(0))).phases.map(({ status }) => status)).toEqual([
      'Complete',
      'ReadyToStart',
      'NotStarted',
    ])
    expect((await get('checkout')).environments?.test?.on).toBe(true)
    const { phases } = await patch([...completePatch(1), ...completePatch(2)])
    expect(phases.map((phaseResponse) => phaseResponse.complete)).toEqual([true, true, true])
    const production = (await get('checkout')).environments?.production
    expect(production).toMatchObject({ on: true, fallthrough: { variation: 0 } })
    expect(production?.rules).toHaveLength(1)
  })

  it.each([
    [
      'a phase that is not ready',
      completePatch(1),
      'phases.1.complete',
      'must wait until the phases before it are complete',
    ],
    ['a value that is not a boolean', completePatch(0, 'yes'), 'phases.0.complete', 'must be a boolean'],
    ['a removed value', [{ op: 'remove', path: '/phases/0/complete' }], 'phases.0.complete', 'must be present'],
  ])('rejects %s', async (_, body, attribute, reason) => {
    const { api, ofFlag, as } = await releasingProject(threePhases, { isLegacy: true })
    expect(await validationErrorOf(api.patchRelease({ ...ofFlag('checkout'), body: body as never }, { as }))).toEqual({
      attribute,
      reason,
    })
  })

  it('does not reopen a completed phase', async () => {
    const { api, ofFlag, as } = await releasingProject(threePhases, { isLegacy: true })
    await api.patchRelease({ ...ofFlag('checkout'), body: completePatch(0) }, { as })
    expect(
      await validationErrorOf(api.patchRelease({ ...ofFlag('checkout'), body: completePatch(0, false) }, { as })),
    ).toEqual({
      attribute: 'phases.0.complete',
      reason: 'must stay true, because a completed phase cannot be reopened',
    })
  })

  it('rejects patches in other pipelines and of other properties', async () => {
    const { api, ofFlag, as } = await releasingProject(threePhases)
    const patch = (body: object[]) => api.patchRelease({ ...ofFlag('checkout'), body: body as never }, { as })
    expect((await validationErrorOf(patch(completePatch(0)))).reason).toContain(
      'must be patched only in a legacy pipeline',
    )
    for (const path of ['/phases/0/status', '/phases/0', '/releasePipelineKey', '/phases/-']) {
      expect(await failureOf(patch([{ op: 'add', path, value: true }]))).toMatchObject({ code: 'invalid_request' })
    }
  })
})
