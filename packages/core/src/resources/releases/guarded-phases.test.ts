import { describe, expect, it } from 'vitest'
import { failureOf, start, validationErrorOf } from '../flags/test/flag-project.ts'
import { audience, guardian } from '../release-pipelines/test/release-project.ts'
import { releasingProject } from './test/releasing-project.ts'

const hour = 3_600_000
const bob = { role: 'admin', memberId: 'bob' } as const

const monitored = (overrides: object = {}) => ({
  configuration: {
    releaseStrategy: 'monitoredRelease',
    requireApproval: false,
    releaseGuardianConfiguration: { ...guardian, rolloutWeight: 10, monitoringWindowMilliseconds: hour },
    ...overrides,
  },
})

/** Makes a release whose first phase is for one audience in production with this configuration. */
async function phasedProject(overrides: object = {}, others: object = {}) {
  const phases = [
    { name: 'Guarded', audiences: [audience('production', { ...monitored(overrides), ...others })] },
    { name: 'After', audiences: [audience('test')] },
  ]
  const project = await releasingProject(phases)
  const { api, as, engine, get, getRelease } = project
  const production = { projectKey: 'web', environmentKey: 'production' }
  return {
    ...project,
    config: async () => (await get('checkout')).environments?.production,
    firstAudience: async () => (await getRelease('checkout')).phases[0]?._audiences[0],
    /** Returns the number of 1,000 contexts that get the released variation. */
    served: async () => {
      const contexts = Array.from({ length: 1_000 }, (_, i) => ({ kind: 'user', key: `user-${i}` }))
      await engine.evaluator(production).ready()
      const values = contexts.map((context) => engine.evaluate('checkout', context, false, production))
      return values.filter(({ value }) => value === true).length
    },
    review: (id: string) => api.reviewApprovalRequest({ id, body: { kind: 'approve' } }, { as: bob }),
    apply: (id: string) => api.applyApprovalRequest({ id, body: {} }, { as }),
    after: (ms: number) => {
      project.pass(ms)
      return engine.runDueTasks()
    },
  }
}

describe('a guarded phase', () => {
  it('serves its rollout weight during the monitoring window, then all contexts', async () => {
    const { advance, firstAudience, after, served, config } = await phasedProject()
    await advance('checkout', 0, 'Started')
    expect(await firstAudience()).toMatchObject({ status: 'running', nextStepAt: String(start + hour) })
    const few = await served()
    // The tolerance is five standard deviations.
    expect(Math.abs(few - 100)).toBeLessThan(48)
    expect((await config())?.automatedReleases?.[0]?.kind).toBe('guarded')
    await after(hour)
    expect([await served(), (await firstAudience())?.status]).toEqual([1_000, 'completed'])
  })

  it('cannot be completed before its audience is served', async () => {
    const { advance, after } = await phasedProject()
    await advance('checkout', 0, 'Started')
    expect(await validationErrorOf(advance('checkout', 0, 'Complete'))).toEqual({
      attribute: 'status',
      reason: 'must not be Complete while the audience All of production is running',
    })
    await after(hour)
    expect((await advance('checkout', 0, 'Complete')).phases[1]?.status).toBe('ReadyToStart')
  })

  it('puts its release on hold while it is paused', async () => {
    const { advance, after, firstAudience, config } = await phasedProject()
    await advance('checkout', 0, 'Started')
    await after(hour / 2)
    await advance('checkout', 0, 'Paused')
    await after(hour)
    expect((await config())?.automatedReleases).toMatchObject([{ status: 'held', reason: 'its phase is paused' }])
    await advance('checkout', 0, 'Started')
    expect(await firstAudience()).toMatchObject({ status: 'running', nextStepAt: String(start + 2 * hour) })
  })

  it('serves segments by a rule of their own', async () => {
    const { advance, after, config, firstAudience } = await phasedProject({}, { segmentKeys: ['beta'] })
    await advance('checkout', 0, 'Started')
    const { on, rules, fallthrough } = (await config()) ?? {}
    expect([on, fallthrough]).toEqual([true, { variation: 1 }])
    expect(rules).toMatchObject([{ rollout: { variations: [{ variation: 0, weight: 10_000 }, { variation: 1 }] } }])
    expect((await firstAudience())?._ruleIds).toEqual([rules?.[0]?._id])
    await after(hour)
    expect((await config())?.rules).toMatchObject([{ variation: 0 }])
  })

  it('does not take the variation from contexts that already get it', async () => {
    const { advance, instruct, served, firstAudience } = await phasedProject()
    await instruct('checkout', [{ kind: 'turnFlagOn' }])
    await advance('checkout', 0, 'Started')
    expect([await served(), (await firstAudience())?.status]).toEqual([1_000, 'completed'])
  })
})

describe('an audience that requires approval', () => {
  it('is served only after its request was approved and applied', async () => {
    const { advance, firstAudience, served, review, apply, config, memberId, api, as, after } = await phasedProject({
      requireApproval: true,
      notifyTeamKeys: ['growth'],
    })
    await advance('checkout', 0, 'Started')
    const { status, approvalRequestId: id = '' } = (await firstAudience()) ?? {}
    expect([status, await served(), (await config())?.on]).toEqual(['waitingForApproval', 0, false])
    const request = await api.getApprovalRequest({ id }, { as })
    expect(request).toMatchObject({ notifyTeamKeys: ['growth'], description: 'Release checkout to All of production' })
    expect(request.instructions.map(({ kind }) => kind)).toEqual(['startAutomatedRelease', 'turnFlagOn'])
    await after(2 * hour)
    expect(await failureOf(apply(id))).toMatchObject({ code: 'invalid_request' })
    expect(await validationErrorOf(advance('checkout', 0, 'Complete'))).toMatchObject({ attribute: 'status' })
    expect(await served()).toBe(0)
    await review(id)
    await apply(id)
    expect(await firstAudience()).toMatchObject({ status: 'running', nextStepAt: String(start + 3 * hour) })
    expect((await config())?.automatedReleases).toMatchObject([{ notifyTeamKeys: ['growth'], _maintainerId: memberId }])
    expect(Math.abs((await served()) - 100)).toBeLessThan(48)
    await after(hour)
    expect([await served(), (await firstAudience())?.status]).toEqual([1_000, 'completed'])
  })

  it('is served immediately after the approval when it is not guarded', async () => {
    const { advance, firstAudience, served, review, apply } = await phasedProject({
      requireApproval: true,
      releaseGuardianConfiguration: undefined,
    })
    await advance('checkout', 0, 'Started')
    expect(await served()).toBe(0)
    const id = (await firstAudience())?.approvalRequestId as string
    await review(id)
    await apply(id)
    expect([await served(), (await firstAudience())?.status]).toEqual([1_000, 'served'])
  })

  it('reports that its approval failed once the request was deleted', async () => {
    const { advance, firstAudience, api, as } = await phasedProject({ requireApproval: true })
    await advance('checkout', 0, 'Started')
    await api.deleteApprovalRequest({ id: (await firstAudience())?.approvalRequestId as string }, { as })
    expect((await firstAudience())?.status).toBe('approvalFailed')
  })
})

describe('the default release pipeline', () => {
  it('releases a flag for which the caller names no pipeline', async () => {
    const { create, api, as, ofFlag } = await phasedProject()
    await create('other')
    const { releasePipelineKey } = await api.putRelease({ ...ofFlag('other'), body: {} }, { as })
    expect(releasePipelineKey).toBe('usual')
  })
})
