import { expect, it } from 'vitest'
import { environmentKeys } from '../flag-evaluations/test/controlled-storage.ts'
import { experimentProject } from './test/experiment-project.ts'

const { projectKey, environmentKey } = environmentKeys
const bob = { role: 'admin', memberId: 'bob' } as const
const eve = { role: 'writer', memberId: 'eve' } as const

it('the winner of an iteration is not served before its approval request is approved and applied', async () => {
  const { engine, api, as, createExperiment, patch, get, evaluate } = await experimentProject()
  const { off } = await createExperiment('checkout')
  await patch('checkout', { kind: 'startIteration' })
  const settings = { environmentKey, required: true }
  await api.patchApprovalRequestSettings({ projectKey, body: settings as never }, { as })
  const status = async () => (await get('checkout')).currentIteration?.status
  const served = () => new Set(Array.from({ length: 100 }, (_, index) => evaluate('checkout', index).value))
  const both = new Set([true, false])
  const [treatment] = ((await get('checkout')).currentIteration?.treatments ?? []).filter(({ name }) => name === 'off')
  const stop = { kind: 'stopIteration', winningTreatmentId: treatment?._id, winningReason: 'It sells more' }
  const body = { instructions: [stop] } as never
  const stopping = api.patchExperiment({ ...environmentKeys, experimentKey: 'checkout', body }, { as: eve })
  await expect(stopping).rejects.toMatchObject({ code: 'method_not_allowed' })
  expect([await status(), served()]).toEqual(['running', both])

  const { _id: id } = await api.createApprovalRequest(
    {
      body: {
        resourceId: `proj/${projectKey}:env/${environmentKey}:flag/checkout`,
        description: 'Serve the winner',
        instructions: [{ kind: 'updateFallthroughVariationOrRollout', variationId: off }],
      } as never,
    },
    { as },
  )
  await expect(api.applyApprovalRequest({ id, body: {} }, { as })).rejects.toMatchObject({ code: 'invalid_request' })
  await api.reviewApprovalRequest({ id, body: { kind: 'approve' } }, { as: bob })
  expect([await status(), served()]).toEqual(['running', both])
  await api.applyApprovalRequest({ id, body: {} }, { as })
  expect((await get('checkout')).currentIteration).toMatchObject({
    status: 'stopped',
    winningTreatmentId: treatment?._id,
  })
  await engine.evaluator(environmentKeys).ready()
  expect(served()).toEqual(new Set([false]))
  const { items } = await api.listChangeLog({ limit: 5 }, { as })
  expect(items.map(({ description }) => description).join('\n')).toContain(
    'ended the iteration of checkout in Production with the winner off',
  )
})
