import { describe, expect, it } from 'vitest'
import {
  allow,
  approvalProject,
  environmentKeys,
  failureOf,
  flagId,
  permitted,
  person,
  segmentId,
  start,
} from '../test/approval-project.ts'

const second = 1_000

describe('an environment that applies approved changes by itself', () => {
  const automatic = { required: true, minNumApprovals: 2, autoApplyApprovedChanges: true }

  it('applies a request after the last missing approval, with the rights of its author', async () => {
    const { create, settings, request, review, find, isOn, engine, api, as } = await approvalProject()
    await create('f')
    await settings(automatic)
    const author = permitted('createApprovalRequest', 'applyApprovalRequest', 'updateOn')
    const { _id } = await request(flagId('f'), [{ kind: 'turnFlagOn' }], {}, author)
    await review(_id, 'approve', permittedToReview('bob'))
    await engine.runDueTasks()
    expect(await isOn('f')).toBe(false)
    expect(await review(_id, 'approve', permittedToReview('eve'))).toMatchObject({
      status: 'scheduled',
      reviewStatus: 'approved',
      executionDate: String(start),
    })
    await engine.runDueTasks()
    expect(await isOn('f')).toBe(true)
    expect(await find(_id)).toMatchObject({ status: 'completed', appliedByMemberId: 'cleo' })
    const { items } = await api.listChangeLog({ limit: 1 }, { as })
    expect(items[0]).toMatchObject({ comment: 'Launch it', member: { _id: 'cleo' } })
  })

  it('applies requests for segments', async () => {
    const { segment, settings, request, review, engine, api, as } = await approvalProject()
    await segment('s')
    await settings({ ...automatic, resourceKind: 'segment' })
    const { _id } = await request(segmentId('s'), [{ kind: 'addIncludedUsers', values: ['eve'] }])
    for (const reviewer of ['bob', 'eve']) await review(_id, 'approve', person(reviewer))
    await engine.runDueTasks()
    expect(await api.getSegment({ ...environmentKeys, segmentKey: 's' }, { as })).toMatchObject({ included: ['eve'] })
  })

  it('does not apply a request that is declined, has only comments, or has a time of its own', async () => {
    const { create, settings, request, review, find, engine } = await approvalProject()
    await create('f')
    await settings({ ...automatic, minNumApprovals: 1 })
    const declined = await request(flagId('f'))
    await review(declined._id, 'decline', person('eve'))
    await review(declined._id, 'approve')
    const commented = await request(flagId('f'))
    await review(commented._id, 'comment', person('bob'), 'ok')
    const later = await request(flagId('f'), undefined, { executionDate: start + 60 * second })
    await review(later._id, 'approve')
    await engine.runDueTasks()
    expect(await find(declined._id)).toMatchObject({ status: 'pending' })
    expect(await find(commented._id)).toMatchObject({ status: 'pending' })
    expect(await find(later._id)).toMatchObject({ status: 'scheduled', executionDate: String(start + 60 * second) })
  })

  it('applies a request at most once, also when a person applies it first', async () => {
    const { create, settings, request, review, apply, instruct, isOn, engine } = await approvalProject()
    await create('f')
    await settings({ ...automatic, minNumApprovals: 1 })
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    await apply(_id)
    await settings({ required: false })
    await instruct('f', [{ kind: 'turnFlagOff' }])
    await engine.runDueTasks()
    expect(await isOn('f')).toBe(false)
  })
})

describe('a request that the engine cannot apply', () => {
  it('shows the reason and the time', async () => {
    const { create, settings, request, find, pass, engine, isOn, review } = await approvalProject()
    await create('f')
    await settings({ required: true, minNumApprovals: 1 })
    const unapproved = await request(flagId('f'), undefined, { executionDate: start + second })
    const author = permitted('createApprovalRequest', 'applyApprovalRequest')
    const forbidden = await request(flagId('f'), undefined, { executionDate: start + second }, author)
    await review(forbidden._id, 'approve')
    expect(await find(unapproved._id)).not.toHaveProperty('failure')
    pass(2 * second)
    await engine.runDueTasks()
    expect(await find(unapproved._id)).toMatchObject({
      status: 'failed',
      failure: { date: String(start + 2 * second), reason: 'The approval request needs 1 more approval' },
    })
    expect(await find(forbidden._id)).toMatchObject({ status: 'failed', failure: { reason: expect.any(String) } })
    expect(await isOn('f')).toBe(false)
    expect(await failureOf(review(unapproved._id, 'approve'))).toMatchObject({
      message: 'The approval request has failed: it can only be deleted',
    })
  })
})

describe('the members to notify', () => {
  it('are named by the change log entry, which webhooks send', async () => {
    const { create, request, edit, memberId, api, as } = await approvalProject()
    await create('f')
    const newest = async () => JSON.stringify((await api.listChangeLog({ limit: 1 }, { as })).items[0]?.delta)
    const { _id } = await request(flagId('f'), undefined, { notifyMemberIds: [memberId] })
    expect(await newest()).toContain(`"notifyMemberIds":["${memberId}"]`)
    await edit(_id, [{ kind: 'addReviewers', notifyMemberIds: [], notifyTeamKeys: ['growth'] }])
    expect(await newest()).toContain('growth')
  })
})

/** Returns a member who may review requests about the flag `f` and nothing else. */
const permittedToReview = (memberId: string) => ({
  policy: [allow(['viewProject'], ['proj/web']), allow(['reviewApprovalRequest'], [flagId('f')])],
  memberId,
})
