import { describe, expect, it } from 'vitest'
import { allow, approvalProject, failureOf, flagId, permitted, turnOn } from '../test/approval-project.ts'

describe('permissions', () => {
  const steps = [
    'createApprovalRequest',
    'reviewApprovalRequest',
    'updateApprovalRequest',
    'deleteApprovalRequest',
    'applyApprovalRequest',
  ] as const

  it.each(steps)('%s is necessary and sufficient for its step', async (action) => {
    const { create, request, review, edit, remove, apply } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    const by = permitted(action, 'updateOn')
    const calls = {
      createApprovalRequest: () => request(flagId('f'), [turnOn], {}, by),
      reviewApprovalRequest: () => review(_id, 'comment', by, 'x'),
      updateApprovalRequest: () => edit(_id, [{ kind: 'updateDescription', value: 'x' }], by),
      deleteApprovalRequest: () => remove(_id, by),
      applyApprovalRequest: () => apply(_id, undefined, by),
    }
    for (const other of steps.filter((one) => one !== action)) {
      expect(await failureOf(calls[other]())).toMatchObject({ code: 'forbidden' })
    }
    await calls[action]()
  })

  it('to apply a request and to make its change are both required', async () => {
    const { create, request, review, apply, isOn } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    await review(_id, 'approve')
    expect(await failureOf(apply(_id, undefined, permitted('applyApprovalRequest')))).toMatchObject({
      code: 'forbidden',
    })
    expect(await failureOf(apply(_id, undefined, permitted('updateOn')))).toMatchObject({ code: 'forbidden' })
    expect(await isOn('f')).toBe(false)
    await apply(_id, undefined, permitted('applyApprovalRequest', 'updateOn'))
    expect(await isOn('f')).toBe(true)
  })

  it('to view the project are required for every operation', async () => {
    const { create, request, find, review, apply, remove, edit, api } = await approvalProject()
    await create('f')
    const { _id } = await request(flagId('f'))
    const by = { policy: [allow(['*'], ['proj/*:env/*:flag/*'])], memberId: 'bob' }
    const calls = [
      find(_id, {}, by),
      review(_id, 'approve', by),
      apply(_id, undefined, by),
      edit(_id, [{ kind: 'updateDescription', value: 'x' }], by),
      remove(_id, by),
      request(flagId('f'), [turnOn], {}, by),
    ]
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: 'not_found' })
    expect(await api.listApprovalRequests({}, { as: by })).toMatchObject({ items: [], totalCount: 0 })
  })
})
