import { describe, expect, it } from 'vitest'
import {
  approval,
  hour,
  minute,
  stage,
  start,
  statusesOf,
  turnOff,
  turnOn,
  wait,
  workflowProject,
} from './test/workflow-project.ts'

describe('a workflow with a stage that cannot be applied', () => {
  it('fails with the reason, and applies no further stage', async () => {
    const { post, load, api, as, pass, run, isCheckoutOn, descriptions, list } = await workflowProject()
    const { variations } = await api.createFlag({ projectKey: 'web', body: { key: 'base', name: 'Base' } }, { as })
    const prerequisite = { kind: 'addPrerequisite', key: 'base', variationId: variations[0]?._id }
    const { _id } = await post([stage([wait(1)], prerequisite), stage([], turnOn)])
    const archive = [{ op: 'replace', path: '/archived', value: true }]
    await api.patchFlag({ projectKey: 'web', flagKey: 'base', body: archive as never }, { as })
    pass(minute)
    const { failed } = await run()
    expect(failed).toBe(1)
    const workflow = await load(_id)
    expect(workflow._execution).toEqual({ status: 'failed', stopDate: String(start + minute) })
    expect(workflow.failure).toEqual({
      date: String(start + minute),
      reason: expect.stringMatching(/^instructions\.0/),
    })
    expect(statusesOf(workflow)).toEqual(['failed', 'pending'])
    expect(await isCheckoutOn()).toBe(false)
    pass(hour)
    expect(await run()).toEqual({ done: 0, failed: 0 })
    expect((await list({ status: 'failed' })).map((each) => each._id)).toEqual([_id])
    expect((await descriptions())[0]).toBe(
      'failed to apply the stage 1 of the workflow “Launch” of checkout in Production',
    )
  })

  it('shows the conflicts of the stage before the stage is due', async () => {
    const { post, load, patch, get } = await workflowProject()
    const { variations = [] } = await get('checkout')
    const values = { kind: 'addTargets', values: ['ann'], variationId: variations[0]?._id }
    const { _id, stages } = await post([stage([wait(60), approval], values), stage([wait(60)], turnOff)])
    const body = { environmentKey: 'production', instructions: [{ ...values, values: ['bob'] }] }
    await patch('checkout', body as never)
    expect((await load(_id))._conflicts).toEqual([
      { stageId: stages[0]?._id, message: 'targets has changed since the request was made' },
    ])
  })

  it('fails together with its approval requests when the flag has changed since the approval', async () => {
    const { post, load, patch, run, approveAll, isCheckoutOn, find, openRequests } = await workflowProject()
    const { _id } = await post([stage([approval], turnOn)])
    const [request] = await openRequests()
    for (const instruction of [turnOn, turnOff]) {
      await patch('checkout', { environmentKey: 'production', instructions: [instruction] } as never)
    }
    await approveAll()
    await run()
    expect((await load(_id))._execution.status).toBe('completed')
    expect(await isCheckoutOn()).toBe(true)
    expect((await find(request?._id ?? '')).status).toBe('completed')
    const second = await post([stage([approval], turnOff)])
    const [open] = await openRequests()
    await patch('checkout', { environmentKey: 'production', instructions: [turnOff] } as never)
    await approveAll()
    expect((await run()).failed).toBe(1)
    expect((await load(second._id)).failure?.reason).toMatch(/on has changed since the request was made/)
    expect(await find(open?._id ?? '')).toMatchObject({ status: 'failed', failure: { reason: expect.any(String) } })
  })

  it('fails when its approval request is deleted', async () => {
    const { post, load, run, openRequests, remove } = await workflowProject()
    const { _id } = await post([stage([approval], turnOn)])
    const [request] = await openRequests()
    await remove(request?._id ?? '')
    expect((await run()).failed).toBe(1)
    expect((await load(_id)).failure?.reason).toBe('The approval request of the stage was deleted')
  })
})
