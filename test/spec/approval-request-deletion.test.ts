import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { describeGates } from './gates.ts'
import { asking, doors, refusals, type SpecOperation, staged } from './spec-operation.ts'

const deleteApprovalRequest = {
  id: 'deleteApprovalRequest',
  method: 'DELETE',
  path: '/api/v2/approval-requests/{id}',
  success: 204,
} as const satisfies SpecOperation

/** Creates an approval request that turns a flag on. */
async function request({ api, admin, given }: TestEngine) {
  await given.project('web')
  await given.flag('web', 'checkout')
  const instructions = [{ kind: 'turnFlagOn' }] as const
  const body = { resourceId: 'proj/web:env/production:flag/checkout', description: 'Launch it', instructions }
  const { _id } = await api.createApprovalRequest({ body: body as never }, { as: admin })
  return { question: { params: { id: _id } }, more: { id: _id } }
}

describeGates(deleteApprovalRequest, request)

const view = { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] } as const

describe.each(doors)('deleteApprovalRequest %s', (door) => {
  it('deletes the request and responds with no body', async () => {
    const { engine, question, more } = await staged(request)
    const ask = asking(engine, deleteApprovalRequest, door)
    expect(await ask(question)).toEqual({ status: 204, body: undefined })
    expect(await ask(question)).toEqual(refusals.not_found)
    await expect(engine.api.getApprovalRequest(more, { as: engine.admin })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('gets invalid_request after the request was applied (D31)', async () => {
    const { engine, question, more } = await staged(request)
    const bob = await engine.given.member('bob@example.test', { role: 'admin' })
    const as = { role: 'admin', memberId: bob._id } as const
    await engine.api.reviewApprovalRequest({ ...more, body: { kind: 'approve' } }, { as })
    await engine.api.applyApprovalRequest({ ...more, body: {} }, { as })
    expect(await asking(engine, deleteApprovalRequest, door)(question)).toEqual({
      status: 400,
      body: { code: 'invalid_request', message: 'The approval request was already applied and cannot be changed' },
    })
    expect(await engine.api.getApprovalRequest(more, { as })).toMatchObject({ status: 'completed' })
  })

  it('is forbidden for a caller who may only view the project', async () => {
    const { engine, question, more } = await staged(request)
    const { token } = await engine.given.token({ inlineRole: [view] })
    expect(await asking(engine, deleteApprovalRequest, door)({ ...question, as: token })).toEqual(refusals.forbidden)
    expect(await engine.api.getApprovalRequest(more, { as: engine.admin })).toMatchObject({ _id: more.id })
  })

  it('is not found for a caller without the right to view the project', async () => {
    const { engine, question } = await staged(request)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['proj/*:env/*:flag/*'], actions: ['deleteApprovalRequest'] }],
    })
    expect(await asking(engine, deleteApprovalRequest, door)({ ...question, as: token })).toEqual(refusals.not_found)
  })

  it('is allowed for a caller with exactly the right to delete', async () => {
    const { engine, question } = await staged(request)
    const may = { effect: 'allow', resources: ['proj/web:env/*:flag/*'], actions: ['deleteApprovalRequest'] } as const
    const { token } = await engine.given.token({ inlineRole: [view, may] })
    const ask = asking(engine, deleteApprovalRequest, door)
    expect(await ask({ ...question, as: token })).toEqual({ status: 204, body: undefined })
  })

  it.each(['none', '__proto__', 'a b'])('is not found for the id %s', async (id) => {
    const { engine } = await staged(request)
    expect(await asking(engine, deleteApprovalRequest, door)({ params: { id } })).toEqual(refusals.not_found)
  })
})
