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

/** A request to turn a flag on. */
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

describe.each(doors)('deleting an approval request %s', (door) => {
  it('leaves nothing of it, and answers with nothing', async () => {
    const { engine, question, more } = await staged(request)
    const ask = asking(engine, deleteApprovalRequest, door)
    expect(await ask(question)).toEqual({ status: 204, body: undefined })
    expect(await ask(question)).toEqual(refusals.not_found)
    await expect(engine.api.getApprovalRequest(more, { as: engine.admin })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is invalid once the request was applied (D31)', async () => {
    const { engine, question, more } = await staged(request)
    const bob = await engine.given.member('bob@example.test', { role: 'admin' })
    const as = { role: 'admin', memberId: bob._id } as const
    await engine.api.reviewApprovalRequest({ ...more, body: { kind: 'approve' } }, { as })
    await engine.api.applyApprovalRequest({ ...more, body: {} }, { as })
    expect(await asking(engine, deleteApprovalRequest, door)(question)).toEqual({
      status: 400,
      body: { code: 'invalid_request', message: 'The approval request was applied: it stays as it is' },
    })
    expect(await engine.api.getApprovalRequest(more, { as })).toMatchObject({ status: 'completed' })
  })

  it('is forbidden to whoever may only view the project', async () => {
    const { engine, question, more } = await staged(request)
    const { token } = await engine.given.token({ inlineRole: [view] })
    expect(await asking(engine, deleteApprovalRequest, door)({ ...question, as: token })).toEqual(refusals.forbidden)
    expect(await engine.api.getApprovalRequest(more, { as: engine.admin })).toMatchObject({ _id: more.id })
  })

  it('finds nothing for whoever may not view the project', async () => {
    const { engine, question } = await staged(request)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['proj/*:env/*:flag/*'], actions: ['deleteApprovalRequest'] }],
    })
    expect(await asking(engine, deleteApprovalRequest, door)({ ...question, as: token })).toEqual(refusals.not_found)
  })

  it('is allowed to whoever may do that and no more', async () => {
    const { engine, question } = await staged(request)
    const may = { effect: 'allow', resources: ['proj/web:env/*:flag/*'], actions: ['deleteApprovalRequest'] } as const
    const { token } = await engine.given.token({ inlineRole: [view, may] })
    const ask = asking(engine, deleteApprovalRequest, door)
    expect(await ask({ ...question, as: token })).toEqual({ status: 204, body: undefined })
  })

  it.each(['none', '__proto__', 'a b'])('is not found as %s', async (id) => {
    const { engine } = await staged(request)
    expect(await asking(engine, deleteApprovalRequest, door)({ params: { id } })).toEqual(refusals.not_found)
  })
})
