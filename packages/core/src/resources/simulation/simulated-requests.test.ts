import { describe, expect, it } from 'vitest'
import { permitted, turnOn } from '../approval-requests/test/approval-project.ts'
import { failureOf, start, validationErrorOf } from '../flags/test/flag-project.ts'
import { contexts, environmentKeys, simulatedProject } from './test/simulated-project.ts'

describe('the approvals of a simulated change', () => {
  it('are reported, and the rest is simulated as if the change were approved', async () => {
    const { simulate, settings, instruct } = await simulatedProject()
    const { approvals, ...withoutApproval } = await simulate([turnOn])
    expect(approvals).toEqual({ required: false })
    await settings({ required: true })
    expect(await simulate([turnOn])).toEqual({
      ...withoutApproval,
      approvals: expect.objectContaining({ required: true }),
    })
    const simulation = await simulate([turnOn], {}, permitted('updateOn'))
    const { message } = await failureOf(instruct('f', [turnOn]))
    expect(simulation).toMatchObject({ approvals: { required: true, why: message }, changed: 2 })
    expect(simulation.changeLogEntry?.accesses).toEqual([
      { action: 'updateOn', resource: 'proj/web:env/production:flag/f' },
    ])
    // A change that is not permitted even with approval is rejected.
    expect((await failureOf(simulate([turnOn], {}, permitted('updateRules')))).code).toBe('forbidden')
    expect(
      (await validationErrorOf(simulate([{ kind: 'updateRuleDescription', ruleId: 'none', description: 'x' }])))
        .attribute,
    ).toContain('instructions.0')
  })

  it('name every environment that requires approval, and no other', async () => {
    const { simulate, settings } = await simulatedProject()
    const archive = () => simulate([{ kind: 'archiveFlag' }], { flagKey: 'g' })
    const withoutApproval = await archive()
    const messageOf = (key: string) =>
      `The environment ${key} requires approval of this change: create an approval request`
    await settings({ required: true })
    await settings({ environmentKey: 'test', required: true })
    expect((await simulate([turnOn])).approvals).toEqual({
      required: true,
      why: messageOf('production'),
      environments: ['production'],
    })
    const simulation = await archive()
    expect(simulation.approvals).toEqual({
      required: true,
      why: `${messageOf('production')}; ${messageOf('test')}`,
      environments: ['production', 'test'],
    })
    // The effects are simulated as if both environments had approved.
    expect(simulation).toEqual({ ...withoutApproval, approvals: simulation.approvals })
    expect(simulation.changed).toBe(2)
    await settings({ environmentKey: 'production', required: false })
    expect((await archive()).approvals).toMatchObject({ why: messageOf('test'), environments: ['test'] })
  })

  it('are bypassed only by callers with that right', async () => {
    const { simulate, settings } = await simulatedProject()
    await settings({ required: true })
    const bypass = { bypassRequiredApproval: true }
    expect((await failureOf(simulate([turnOn], bypass, permitted('updateOn')))).code).toBe('forbidden')
    const simulation = await simulate([turnOn], bypass, permitted('updateOn', 'bypassRequiredApproval'))
    expect(simulation.approvals.required).toBe(true)
    expect(simulation.changeLogEntry?.accesses.map(({ action }) => action)).toContain('bypassRequiredApproval')
  })
})

describe('the simulation of a stored change', () => {
  it('accepts the id of an approval request for a flag or a segment, and checks the rights of the caller', async () => {
    const { engine, as, request, settings, segment, instruct, simulate } = await simulatedProject()
    await segment('staff')
    await settings({ required: true })
    const { _id: approvalRequestId } = await request('proj/web:env/production:flag/f')
    const simulation = await engine.simulate({ approvalRequestId, contexts }, { as })
    const { comment, ...entry } = simulation.changeLogEntry ?? {}
    expect(comment).toBe('Launch it')
    expect({ ...simulation, changeLogEntry: entry }).toEqual(await simulate([turnOn]))
    expect((await failureOf(engine.simulate({ approvalRequestId }, { as: permitted('updateRules') }))).code).toBe(
      'forbidden',
    )
    expect((await failureOf(engine.simulate({ approvalRequestId }, { as: { policy: [] } }))).code).toBe('not_found')
    const segmentRequest = await request('proj/web:env/production:segment/staff', [
      { kind: 'addIncludedUsers', values: ['bob'] },
    ])
    expect(await engine.simulate({ approvalRequestId: segmentRequest._id, contexts }, { as })).toMatchObject({
      kind: 'segment',
      changed: 1,
    })
    await settings({ required: false })
    await instruct('f', [turnOn])
    expect((await validationErrorOf(engine.simulate({ approvalRequestId }, { as }))).attribute).toBe('instructions.0')
  })

  it('accepts the id of a scheduled change', async () => {
    const { engine, api, as, simulate } = await simulatedProject()
    const body = { instructions: [turnOn], executionDate: start + 1000, comment: 'at ten' } as never
    const { _id } = await api.createScheduledChange({ ...environmentKeys, flagKey: 'f', body }, { as })
    const simulation = await engine.simulate(
      { ...environmentKeys, flagKey: 'f', scheduledChangeId: _id, contexts },
      { as },
    )
    expect(simulation).toEqual(await simulate([turnOn], { comment: 'at ten' }))
    const missing = engine.simulate({ ...environmentKeys, flagKey: 'f', scheduledChangeId: 'none' }, { as })
    expect((await failureOf(missing)).code).toBe('not_found')
  })
})
