import { describe, expect, it } from 'vitest'
import { approvalProject, failureOf, flagId, person, segmentId, turnOn } from '../test/approval-project.ts'

/** Creates a request that has been approved. */
async function approvedRequest(instructions: readonly object[] | ((ids: readonly string[]) => readonly object[])) {
  const project = await approvalProject()
  const { variations } = await project.create('f', { variations: ['a', 'b', 'c'].map((value) => ({ value })) })
  const ids = variations.map((request) => request._id)
  const requested = typeof instructions === 'function' ? instructions(ids) : instructions
  const { _id } = await project.request(flagId('f'), requested)
  await project.review(_id, 'approve')
  return { ...project, _id, ids, wanted: requested }
}

describe('an approval request is in conflict', () => {
  it('with a later change of the same property', async () => {
    const { instruct, find, apply, isOn, _id } = await approvedRequest([turnOn])
    await instruct('f', [turnOn])
    const reason = 'on has changed since the request was made'
    expect(await find(_id)).toMatchObject({ conflicts: [{ instruction: turnOn, reason }] })
    expect(await failureOf(apply(_id))).toEqual({
      code: 'invalid_request',
      message: 'validation failed',
      errors: [{ attribute: 'instructions.0', reason }],
    })
    expect(await find(_id)).toMatchObject({ status: 'pending' })
    await instruct('f', [{ kind: 'turnFlagOff' }])
    expect(await find(_id)).toMatchObject({ conflicts: [] })
    await apply(_id)
    expect(await isOn('f')).toBe(true)
  })

  it('not with a change of another property, environment or flag', async () => {
    const { create, instruct, find, apply, _id, ids } = await approvedRequest([turnOn])
    await create('g')
    await instruct('g', [turnOn])
    await instruct('f', [turnOn], { environmentKey: 'test' })
    await instruct('f', [
      { kind: 'updateOffVariation', variationId: ids[1] },
      { kind: 'updateName', value: 'x' },
    ])
    expect(await find(_id)).toMatchObject({ conflicts: [] })
    expect(await apply(_id)).toMatchObject({ status: 'completed' })
  })

  it('with a removed variation, and then applies none of its instructions', async () => {
    const { instruct, find, apply, get, _id, ids } = await approvedRequest((ids) => [
      turnOn,
      { kind: 'updateFallthroughVariationOrRollout', variationId: ids[1] },
    ])
    await instruct('f', [{ kind: 'removeVariation', variationId: ids[1] }])
    const before = await get('f')
    expect((await find(_id)).conflicts).toContainEqual({
      instruction: { kind: 'updateFallthroughVariationOrRollout', variationId: ids[1] },
      reason: 'variationId must be the _id of a variation',
    })
    expect(await failureOf(apply(_id))).toMatchObject({ code: 'invalid_request' })
    expect(await get('f')).toEqual(before)
    expect(await find(_id)).toMatchObject({ status: 'pending' })
  })

  it('with a removed rule', async () => {
    const project = await approvalProject()
    const { variations } = await project.create('f')
    await project.instruct('f', [{ kind: 'addRule', clauses: [], variationId: variations[0]?._id }])
    const ruleId = (await project.get('f')).environments?.production?.rules?.[0]?._id
    const instruction = { kind: 'updateRuleDescription', ruleId, description: 'all' }
    const { _id } = await project.request(flagId('f'), [instruction])
    await project.review(_id, 'approve')
    await project.instruct('f', [{ kind: 'removeRule', ruleId }])
    const reasons = (await project.find(_id)).conflicts.map(({ reason }) => reason)
    expect(reasons[0]).toBe('rules has changed since the request was made')
    expect(reasons).toHaveLength(2)
    expect(await failureOf(project.apply(_id))).toMatchObject({ code: 'invalid_request' })
  })

  it('with a deleted flag or segment', async () => {
    const project = await approvalProject()
    const { api, as, keysOf } = project
    const [baseVariation] = (await project.create('base')).variations
    await project.create('f')
    await project.segment('s')
    const clauses = [{ attribute: '', op: 'segmentMatch', values: ['s'], negate: false }]
    const [first] = (await project.get('f')).variations
    const { _id } = await project.request(flagId('f'), [
      { kind: 'addPrerequisite', key: 'base', variationId: baseVariation?._id },
      { kind: 'addRule', clauses, variationId: first?._id },
    ])
    await project.review(_id, 'approve')
    await api.deleteSegment({ projectKey: 'web', environmentKey: 'production', segmentKey: 's' }, { as })
    expect((await project.find(_id)).conflicts).toMatchObject([
      { instruction: { kind: 'addRule' }, reason: 'segment s has changed since the request was made' },
      { instruction: { kind: 'addRule' }, reason: 'rules must name segments of the environment: s does not exist' },
    ])
    await api.deleteFlag(keysOf('base'), { as })
    expect((await project.find(_id)).conflicts).toMatchObject([
      { instruction: { kind: 'addPrerequisite' }, reason: 'flag base has changed since the request was made' },
      { instruction: { kind: 'addRule' }, reason: 'segment s has changed since the request was made' },
      { instruction: { kind: 'addPrerequisite' }, reason: 'key must be the key of a flag of the project' },
    ])
    expect(await failureOf(project.apply(_id))).toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'instructions.0' }, { attribute: 'instructions.1' }],
    })
  })

  it('with a later change of the listed keys of a segment, also of a big segment', async () => {
    const { api, as, ...project } = await approvalProject()
    await project.segment('s')
    const include = (key: string) => ({ kind: 'addIncludedUsers', values: [key] })
    const { _id } = await project.request(segmentId('s'), [include('a')])
    await project.review(_id, 'approve')
    await project.patchSegment('s', [{ kind: 'addExcludedUsers', values: ['x'] }])
    expect(await project.find(_id)).toMatchObject({ conflicts: [] })
    await project.patchSegment('s', [include('b')])
    const reason = 'included has changed since the request was made'
    expect((await project.find(_id)).conflicts).toEqual([{ instruction: include('a'), reason }])
    expect(await failureOf(project.apply(_id))).toMatchObject({ errors: [{ attribute: 'instructions.0', reason }] })

    const keys = { projectKey: 'web', environmentKey: 'production' }
    await api.createSegment({ ...keys, body: { key: 'big', name: 'Big', unbounded: true } }, { as })
    const add = { kind: 'addBigSegmentIncludedTargets', values: ['a'] }
    const first = await project.request(segmentId('big'), [add])
    const second = await project.request(segmentId('big'), [add])
    for (const request of [first, second]) await project.review(request._id, 'approve', person('bob'))
    await project.apply(first._id)
    expect((await project.find(second._id)).conflicts).toEqual([
      { instruction: add, reason: 'bigIncluded has changed since the request was made' },
    ])
    expect(await failureOf(project.apply(second._id))).toMatchObject({ code: 'invalid_request' })
  })

  it('with another request for the same property that was applied first', async () => {
    const { request, review, apply, find, _id } = await approvedRequest([turnOn])
    const otherRequest = await request(flagId('f'), [turnOn])
    await review(otherRequest._id, 'approve')
    const calls = await Promise.allSettled([apply(_id), apply(otherRequest._id)])
    expect(calls.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const requests = [await find(_id), await find(otherRequest._id)]
    expect(requests.map(({ status }) => status).sort()).toEqual(['completed', 'pending'])
  })
})

it('a request is in conflict only until a later change restores the state that the request would result in', async () => {
  const { instruct, find, apply, isOn, _id } = await approvedRequest([{ kind: 'turnFlagOff' }])
  await instruct('f', [turnOn])
  expect(await find(_id)).toMatchObject({ conflicts: [{ reason: 'on has changed since the request was made' }] })
  await instruct('f', [{ kind: 'turnFlagOff' }])
  expect(await apply(_id)).toMatchObject({ status: 'completed' })
  expect(await isOn('f')).toBe(false)
})
