import { describe, expect, it } from 'vitest'
import {
  approvalProject,
  failureOf,
  flagId,
  person,
  semanticPatchType,
  turnOn,
  validationErrorOf,
} from '../test/approval-project.ts'

describe('updating and deleting an approval request', () => {
  it('updates the description and adds reviewers', async () => {
    const { create, request, edit, memberId, api, as } = await approvalProject()
    await create('f')
    await api.createTeam({ body: { key: 'ops', name: 'Ops' } }, { as })
    const { _id } = await request(flagId('f'))
    const changed = await edit(_id, [
      { kind: 'updateDescription', value: 'Launch it on Monday' },
      { kind: 'addReviewers', notifyMemberIds: [memberId] },
      { kind: 'addReviewers', notifyMemberIds: [memberId], notifyTeamKeys: ['ops'] },
    ])
    expect(changed).toMatchObject({
      description: 'Launch it on Monday',
      notifyMemberIds: [memberId],
      notifyTeamKeys: ['ops'],
      _version: 2,
    })
  })

  it.each<[string, object, string]>([
    ['an empty description', { kind: 'updateDescription', value: '' }, 'instructions.0.value'],
    ['a description that is too long', { kind: 'updateDescription', value: 'x'.repeat(5001) }, 'instructions.0.value'],
    ['no reviewers', { kind: 'addReviewers' }, 'instructions.0'],
    ['nobody', { kind: 'addReviewers', notifyMemberIds: ['nobody'] }, 'instructions.0.notifyMemberIds.0'],
    ['an unknown team', { kind: 'addReviewers', notifyTeamKeys: ['none'] }, 'instructions.0.notifyTeamKeys.0'],
    ['an unknown kind of instruction', { kind: 'replaceInstructions', instructions: [] }, 'instructions.0.kind'],
  ])('rejects %s', async (_, instruction, attribute) => {
    const { create, request, edit } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    expect(await validationErrorOf(edit(_id, [instruction]))).toMatchObject({ attribute })
  })

  it('rejects an eleventh reviewer', async () => {
    const { create, request, edit, api, as } = await approvalProject()
    await create('f')
    const keys = Array.from({ length: 11 }, (_, index) => `team-${index}`)
    for (const key of keys) await api.createTeam({ body: { key, name: key } }, { as })
    const { _id } = await request(flagId('f'), [turnOn], { notifyTeamKeys: keys.slice(0, 10) })
    expect(await validationErrorOf(edit(_id, [{ kind: 'addReviewers', notifyTeamKeys: ['team-10'] }]))).toEqual({
      attribute: 'notifyMemberIds',
      reason: 'must name at most 10 reviewers, members and teams together',
    })
  })

  it('rejects a JSON Patch of the instructions', async () => {
    const { create, request, send } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    const headers = { 'svc-api-version': 'beta' }
    const body = [{ op: 'replace', path: '/instructions/0/kind', value: 'turnFlagOff' }]
    const response = await send('PATCH', `/api/v2/approval-requests/${_id}`, { body, headers })
    expect(response.status).toBe(400)
    const describeBody = { instructions: [{ kind: 'updateDescription', value: 'x' }] }
    const patched = await send('PATCH', `/api/v2/approval-requests/${_id}`, {
      body: describeBody,
      headers: { ...headers, 'content-type': semanticPatchType },
    })
    expect(patched.status).toBe(200)
  })

  it('deletes a request that has not been applied', async () => {
    const { create, request, remove, find, api, as } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    await remove(_id)
    expect(await failureOf(find(_id))).toMatchObject({ code: 'not_found' })
    expect((await api.listApprovalRequests({}, { as })).totalCount).toBe(0)
  })
})

describe('concurrent calls', () => {
  it('apply a request once', async () => {
    const { create, request, review, apply } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    const calls = await Promise.allSettled([apply(_id), apply(_id), apply(_id)])
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('never lose a review that was accepted', async () => {
    const { create, request, review, find } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    const calls = await Promise.allSettled(
      ['bob', 'cleo', 'dan'].map((memberId) => review(_id, 'approve', person(memberId))),
    )
    const succeeded = calls.filter(({ status }) => status === 'fulfilled').length
    expect(succeeded).toBeGreaterThan(0)
    expect((await find(_id)).allReviews).toHaveLength(succeeded)
  })

  it('are detected by If-Match', async () => {
    const { create, request, review, api, as } = await approvalProject()
    await create('f')
    const { _id: id } = await request(flagId('f'))
    await review(id, 'approve')
    await review(id, 'decline', person('cleo'))
    const apply = (ifMatch: string) => api.applyApprovalRequest({ id, body: {} }, { as, ifMatch })
    expect(await failureOf(apply('"2"'))).toMatchObject({ code: 'optimistic_locking_error' })
    expect(await apply('"3"')).toMatchObject({ status: 'completed' })
  })
})
