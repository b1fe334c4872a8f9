import { describe, expect, it } from 'vitest'
import type { As } from '../../../index.ts'
import { approvalProject, failureOf, flagId, person, turnOn, validationErrorOf } from '../test/approval-project.ts'

describe('reviews', () => {
  it('are evaluated with the current settings of the environment, not the settings at the time of the request', async () => {
    const { create, settings, request, review, apply, find } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    await settings({ minNumApprovals: 2 })
    expect(await find(_id)).toMatchObject({ reviewStatus: 'pending', approvalSettings: { minNumApprovals: 2 } })
    expect(await failureOf(apply(_id))).toMatchObject({ message: 'The approval request needs 1 more approval' })
    await review(_id, 'approve', person('cleo'))
    expect(await apply(_id)).toMatchObject({ status: 'completed', reviewStatus: 'approved' })
  })

  it('of one person count once, and the newest one applies', async () => {
    const { create, settings, request, review, find } = await approvalProject()
    await create('f')
    await settings({ minNumApprovals: 2 })
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    await review(_id, 'comment', person('bob'), 'hm')
    await review(_id, 'approve')
    expect(await find(_id)).toMatchObject({
      reviewStatus: 'pending',
      allReviews: [{ kind: 'comment' }, { kind: 'approve' }],
    })
    await review(_id, 'decline')
    expect(await find(_id)).toMatchObject({
      reviewStatus: 'declined',
      allReviews: [{ kind: 'comment' }, { kind: 'decline' }],
    })
  })

  it('that decline prevent the application unless the environment allows it', async () => {
    const { create, settings, request, review, apply } = await approvalProject()
    await create('f')
    await settings({ canApplyDeclinedChanges: false })
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    expect(await review(_id, 'decline', person('cleo'))).toMatchObject({ reviewStatus: 'declined' })
    expect(await failureOf(apply(_id))).toMatchObject({
      code: 'invalid_request',
      message: 'The approval request is declined, and declined changes cannot be applied in this environment',
    })
    await settings({ canApplyDeclinedChanges: true })
    expect(await apply(_id)).toMatchObject({ status: 'completed', reviewStatus: 'declined' })
  })

  it('by the author of the request can only be comments, unless the environment allows more', async () => {
    const { create, settings, request, review, memberId, as } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    expect(await review(_id, 'comment', as, 'ping')).toMatchObject({ allReviews: [{ comment: 'ping', memberId }] })
    for (const kind of ['approve', 'decline']) {
      expect(await failureOf(review(_id, kind, as))).toEqual({
        code: 'invalid_request',
        message: 'The author of an approval request cannot approve or decline it in this environment',
      })
    }
    await settings({ canReviewOwnRequest: true })
    expect(await review(_id, 'approve', as)).toMatchObject({ reviewStatus: 'approved' })
  })

  it('by service tokens count as reviews of the member who created the tokens', async () => {
    const { create, settings, request, review, api, as, find } = await approvalProject()
    await create('f')
    await settings({ minNumApprovals: 2 })
    const serviceToken = async (caller: As = as) => {
      const body = { name: 'robot', role: 'admin', serviceToken: true } as const
      const { token, _id } = await api.createToken({ body }, { as: caller })
      return { token: token as string, _id }
    }
    const ownToken = await serviceToken()
    const { _id } = await request(flagId('f'))
    expect(await failureOf(review(_id, 'approve', ownToken.token))).toMatchObject({ code: 'invalid_request' })
    const requestOfToken = await request(flagId('f'), [turnOn], {}, ownToken.token)
    expect(requestOfToken.requestorId).toBe(ownToken._id)
    expect(await failureOf(review(requestOfToken._id, 'approve', as))).toMatchObject({ code: 'invalid_request' })
    const [first, second] = [await serviceToken(person('bob')), await serviceToken(person('bob'))]
    await review(_id, 'approve', first.token)
    await review(_id, 'approve', second.token)
    const { allReviews, reviewStatus } = await find(_id)
    expect(reviewStatus).toBe('pending')
    expect(allReviews).toMatchObject([{ serviceTokenId: second._id }])
    expect(allReviews[0]).not.toHaveProperty('memberId')
  })

  it.each<[object, string]>([
    [{ kind: 'approved' }, 'kind'],
    [{ kind: 'comment' }, 'comment'],
    [{ kind: 'comment', comment: ' ' }, 'comment'],
    [{ kind: 'approve', comment: 'x'.repeat(10_001) }, 'comment'],
    [{ kind: 'approve', reviewer: 'dan' }, 'reviewer'],
  ])('such as %j are rejected', async (body, attribute) => {
    const { create, request, api } = await approvalProject()
    await create('f')
    const { _id: id } = await request(flagId('f'))
    const call = api.reviewApprovalRequest({ id, body: body as never }, { as: person('bob') })
    expect(await validationErrorOf(call)).toMatchObject({ attribute })
  })
})

describe('an applied request', () => {
  it('can no longer be changed', async () => {
    const { create, request, review, apply, edit, remove, find, change } = await approvalProject()
    await create('f')
    const { _id } = await change(flagId('f'), [turnOn])
    const before = await find(_id)
    const refusal = {
      code: 'invalid_request',
      message: 'The approval request was already applied and cannot be changed',
    }
    expect(await failureOf(apply(_id))).toEqual(refusal)
    expect(await failureOf(review(_id, 'comment', person('bob'), 'late'))).toEqual(refusal)
    expect(await failureOf(edit(_id, [{ kind: 'updateDescription', value: 'other' }]))).toEqual(refusal)
    expect(await failureOf(remove(_id))).toEqual(refusal)
    expect(await find(_id)).toEqual(before)
    expect(await request(flagId('f'))).toMatchObject({ status: 'pending' })
  })
})
