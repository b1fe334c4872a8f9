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
    const caller = permitted(action, 'updateOn')
    const calls = {
      createApprovalRequest: () => request(flagId('f'), [turnOn], {}, caller),
      reviewApprovalRequest: () => review(_id, 'comment', caller, 'x'),
      updateApprovalRequest: () => edit(_id, [{ kind: 'updateDescription', value: 'x' }], caller),
      deleteApprovalRequest: () => remove(_id, caller),
      applyApprovalRequest: () => apply(_id, undefined, caller),
    }
    for (const other of steps.filter((step) => step !== action)) {
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
    const caller = { policy: [allow(['*'], ['proj/*:env/*:flag/*'])], memberId: 'bob' }
    const calls = [
      find(_id, {}, caller),
      review(_id, 'approve', caller),
      apply(_id, undefined, caller),
      edit(_id, [{ kind: 'updateDescription', value: 'x' }], caller),
      remove(_id, caller),
      request(flagId('f'), [turnOn], {}, caller),
    ]
    for (const call of calls) expect(await failureOf(call)).toMatchObject({ code: 'not_found' })
    expect(await api.listApprovalRequests({}, { as: caller })).toMatchObject({ items: [], totalCount: 0 })
  })
})
