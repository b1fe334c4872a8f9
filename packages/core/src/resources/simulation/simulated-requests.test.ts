import { describe, expect, it } from 'vitest'
import { permitted, turnOn } from '../approval-requests/test/approval-project.ts'
import { failureOf, faultOf, start } from '../flags/test/flag-project.ts'
import { contexts, place, simulatedProject } from './test/simulated-project.ts'

describe('what a change needs', () => {
  it('says that it needs approval, and tells the rest as if it had it', async () => {
    const { simulate, settings, instruct } = await simulatedProject()
    const { approvals, ...free } = await simulate([turnOn])
    expect(approvals).toEqual({ required: false })
    await settings({ required: true })
    expect(await simulate([turnOn])).toEqual({ ...free, approvals: expect.objectContaining({ required: true }) })
    const told = await simulate([turnOn], {}, permitted('updateOn'))
    const { message } = await failureOf(instruct('f', [turnOn]))
    expect(told).toMatchObject({ approvals: { required: true, why: message }, changed: 2 })
    expect(told.changeLogEntry?.accesses).toEqual([{ action: 'updateOn', resource: 'proj/web:env/production:flag/f' }])
    // What nobody could approve is refused all the same.
    expect((await failureOf(simulate([turnOn], {}, permitted('updateRules')))).code).toBe('forbidden')
    expect(
      (await faultOf(simulate([{ kind: 'updateRuleDescription', ruleId: 'none', description: 'x' }]))).attribute,
    ).toContain('instructions.0')
  })

  it('names every environment that wants the change approved, and no other', async () => {
    const { simulate, settings } = await simulatedProject()
    const archive = () => simulate([{ kind: 'archiveFlag' }], { flagKey: 'g' })
    const free = await archive()
    const inWords = (key: string) =>
      `The environment ${key} requires approval of this change: create an approval request`
    await settings({ required: true })
    await settings({ environmentKey: 'test', required: true })
    expect((await simulate([turnOn])).approvals).toEqual({
      required: true,
      why: inWords('production'),
      environments: ['production'],
    })
    const told = await archive()
    expect(told.approvals).toEqual({
      required: true,
      why: `${inWords('production')}; ${inWords('test')}`,
      environments: ['production', 'test'],
    })
    // What the change would do is told as if both had approved it.
    expect(told).toEqual({ ...free, approvals: told.approvals })
    expect(told.changed).toBe(2)
    await settings({ environmentKey: 'production', required: false })
    expect((await archive()).approvals).toMatchObject({ why: inWords('test'), environments: ['test'] })
  })

  it('asks to do without only for those who may', async () => {
    const { simulate, settings } = await simulatedProject()
    await settings({ required: true })
    const bypassing = { bypassRequiredApproval: true }
    expect((await failureOf(simulate([turnOn], bypassing, permitted('updateOn')))).code).toBe('forbidden')
    const told = await simulate([turnOn], bypassing, permitted('updateOn', 'bypassRequiredApproval'))
    expect(told.approvals.required).toBe(true)
    expect(told.changeLogEntry?.accesses.map(({ action }) => action)).toContain('bypassRequiredApproval')
  })
})

describe('changes that wait', () => {
  it('are told by the id of an approval request, about flags and segments, as the caller would make them', async () => {
    const { engine, as, request, settings, segment, instruct, simulate } = await simulatedProject()
    await segment('staff')
    await settings({ required: true })
    const { _id: approvalRequestId } = await request('proj/web:env/production:flag/f')
    const told = await engine.simulate({ approvalRequestId, contexts }, { as })
    const { comment, ...entry } = told.changeLogEntry ?? {}
    expect(comment).toBe('Launch it')
    expect({ ...told, changeLogEntry: entry }).toEqual(await simulate([turnOn]))
    expect((await failureOf(engine.simulate({ approvalRequestId }, { as: permitted('updateRules') }))).code).toBe(
      'forbidden',
    )
    expect((await failureOf(engine.simulate({ approvalRequestId }, { as: { policy: [] } }))).code).toBe('not_found')
    const other = await request('proj/web:env/production:segment/staff', [
      { kind: 'addIncludedUsers', values: ['bob'] },
    ])
    expect(await engine.simulate({ approvalRequestId: other._id, contexts }, { as })).toMatchObject({
      kind: 'segment',
      changed: 1,
    })
    await settings({ required: false })
    await instruct('f', [turnOn])
    expect((await faultOf(engine.simulate({ approvalRequestId }, { as }))).attribute).toBe('instructions.0')
  })

  it('are told by the id of a scheduled change', async () => {
    const { engine, api, as, simulate } = await simulatedProject()
    const body = { instructions: [turnOn], executionDate: start + 1000, comment: 'at ten' } as never
    const { _id } = await api.createScheduledChange({ ...place, featureFlagKey: 'f', body }, { as })
    const told = await engine.simulate({ ...place, flagKey: 'f', scheduledChangeId: _id, contexts }, { as })
    expect(told).toEqual(await simulate([turnOn], { comment: 'at ten' }))
    const missing = engine.simulate({ ...place, flagKey: 'f', scheduledChangeId: 'none' }, { as })
    expect((await failureOf(missing)).code).toBe('not_found')
  })
})
