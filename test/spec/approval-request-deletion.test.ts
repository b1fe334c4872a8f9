import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import { describeCommonRules } from './rules-of-every-operation.ts'
import { engineWith, refusals, type SpecOperation, senderOf, transports } from './spec-operation.ts'

const deleteApprovalRequest = {
  id: 'deleteApprovalRequest',
  method: 'DELETE',
  path: '/api/v2/approval-requests/{id}',
  success: 204,
} as const satisfies SpecOperation

/** Creates an approval request that turns a flag on. */
async function setUpRequest({ api, admin, given }: TestEngine) {
  await given.project('web')
  await given.flag('web', 'checkout')
  const instructions = [{ kind: 'turnFlagOn' }] as const
  const body = { resourceId: 'proj/web:env/production:flag/checkout', description: 'Launch it', instructions }
  const { _id } = await api.createApprovalRequest({ body: body as never }, { as: admin })
  return { request: { params: { id: _id } }, fixture: { id: _id } }
}

describeCommonRules(deleteApprovalRequest, setUpRequest)

const view = { effect: 'allow', resources: ['proj/*'], actions: ['viewProject'] } as const

describe.each(transports)('deleteApprovalRequest %s', (transport) => {
  it('deletes the request and responds with no body', async () => {
    const { engine, request, fixture } = await engineWith(setUpRequest)
    const send = senderOf(engine, deleteApprovalRequest, transport)
    expect(await send(request)).toEqual({ status: 204, body: undefined })
    expect(await send(request)).toEqual(refusals.not_found)
    await expect(engine.api.getApprovalRequest(fixture, { as: engine.admin })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('gets invalid_request after the request was applied', async () => {
    const { engine, request, fixture } = await engineWith(setUpRequest)
    const bob = await engine.given.member('bob@example.test', { role: 'admin' })
    const as = { role: 'admin', memberId: bob._id } as const
    await engine.api.reviewApprovalRequest({ ...fixture, body: { kind: 'approve' } }, { as })
    await engine.api.applyApprovalRequest({ ...fixture, body: {} }, { as })
    expect(await senderOf(engine, deleteApprovalRequest, transport)(request)).toEqual({
      status: 400,
      body: { code: 'invalid_request', message: 'The approval request was already applied and cannot be changed' },
    })
    expect(await engine.api.getApprovalRequest(fixture, { as })).toMatchObject({ status: 'completed' })
  })

  it('is forbidden for a caller who may only view the project', async () => {
    const { engine, request, fixture } = await engineWith(setUpRequest)
    const { token } = await engine.given.token({ inlineRole: [view] })
    expect(await senderOf(engine, deleteApprovalRequest, transport)({ ...request, as: token })).toEqual(
      refusals.forbidden,
    )
    expect(await engine.api.getApprovalRequest(fixture, { as: engine.admin })).toMatchObject({ _id: fixture.id })
  })

  it('is not found for a caller without the right to view the project', async () => {
    const { engine, request } = await engineWith(setUpRequest)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['proj/*:env/*:flag/*'], actions: ['deleteApprovalRequest'] }],
    })
    expect(await senderOf(engine, deleteApprovalRequest, transport)({ ...request, as: token })).toEqual(
      refusals.not_found,
    )
  })

  it('is allowed for a caller with exactly the right to delete', async () => {
    const { engine, request } = await engineWith(setUpRequest)
    const allowDeletion = {
      effect: 'allow',
      resources: ['proj/web:env/*:flag/*'],
      actions: ['deleteApprovalRequest'],
    } as const
    const { token } = await engine.given.token({ inlineRole: [view, allowDeletion] })
    const send = senderOf(engine, deleteApprovalRequest, transport)
    expect(await send({ ...request, as: token })).toEqual({ status: 204, body: undefined })
  })

  it.each(['none', '__proto__', 'a b'])('is not found for the id %s', async (id) => {
    const { engine } = await engineWith(setUpRequest)
    expect(await senderOf(engine, deleteApprovalRequest, transport)({ params: { id } })).toEqual(refusals.not_found)
  })
})
