import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { laggingStorage } from '../../storage/test/lagging-storage.ts'
import {
  approval,
  failureOf,
  flagKeys,
  hour,
  minute,
  person,
  stage,
  start,
  statusesOf,
  turnOff,
  turnOn,
  wait,
  workflowProject,
} from './test/workflow-project.ts'

describe('a stage that reviewers have to approve', () => {
  it('has an approval request with its instructions, and is applied once the request is approved', async () => {
    const { post, load, run, openRequests, approveAll, isCheckoutOn, memberId, api, as } = await workflowProject()
    const { _id } = await post([stage([approval], turnOn, { name: 'On' }), stage([wait(1)], turnOff)])
    const [request] = await openRequests()
    expect(request).toMatchObject({
      description: 'Stage On of the workflow Launch',
      requestorId: memberId,
      instructions: [turnOn],
      customWorkflowMetadata: { name: 'Launch', stage: { index: 0, name: 'On' } },
    })
    expect(await run()).toEqual({ done: 0, failed: 0 })
    await approveAll()
    await run()
    expect(await isCheckoutOn()).toBe(true)
    const workflow = await load(_id)
    expect(statusesOf(workflow)).toEqual(['completed', 'scheduled'])
    expect(workflow.stages[0]?.conditions[0]).toMatchObject({
      reviewStatus: 'approved',
      allReviews: [{ kind: 'approve', memberId: 'bob' }],
      appliedDate: String(start),
      _execution: { status: 'completed' },
    })
    const { items } = await api.listApprovalRequestsForFlag(flagKeys, { as })
    expect(items.map(({ status, appliedByMemberId }) => [status, appliedByMemberId])).toEqual([['completed', memberId]])
  })

  it('is applied in an environment that requires approval, while a stage without an approval condition is refused there', async () => {
    const { post, settings, run, approveAll, isCheckoutOn } = await workflowProject()
    await settings({ required: true, minNumApprovals: 2 })
    expect((await failureOf(post([stage([wait(1)], turnOn)]))).code).toBe('method_not_allowed')
    await post([stage([approval], turnOn)])
    await approveAll('bob')
    await run()
    expect(await isCheckoutOn()).toBe(false)
    await approveAll('cleo')
    await run()
    expect(await isCheckoutOn()).toBe(true)
  })

  it('waits for its time after it is approved, and for reviewers who take their approval back', async () => {
    const { post, pass, run, openRequests, review, approveAll, isCheckoutOn } = await workflowProject()
    await post([stage([wait(10), approval], turnOn)])
    await approveAll()
    await run()
    expect(await isCheckoutOn()).toBe(false)
    const [request] = await openRequests()
    await review(request?._id ?? '', 'decline')
    pass(10 * minute)
    expect((await run()).failed).toBe(0)
    expect(await isCheckoutOn()).toBe(false)
    await approveAll()
    await run()
    expect(await isCheckoutOn()).toBe(true)
  })

  it('can declare that its conditions begin one after the other', async () => {
    const { post, pass, run, openRequests, approveAll, isCheckoutOn } = await workflowProject()
    await post([stage([wait(10), approval, wait(5)], turnOn, { executeConditionsInSequence: true })])
    expect(await openRequests()).toEqual([])
    pass(10 * minute)
    await run()
    expect(await openRequests()).toHaveLength(1)
    pass(hour)
    await approveAll()
    await run()
    expect(await isCheckoutOn()).toBe(false)
    pass(5 * minute)
    await run()
    expect(await isCheckoutOn()).toBe(true)
  })

  it('is not applied by a caller, nor by the approval alone', async () => {
    const { post, settings, openRequests, approveAll, run, apply, isCheckoutOn } = await workflowProject()
    await settings({ required: true, autoApplyApprovedChanges: true })
    await post([stage([wait(10), approval], turnOn)])
    const [request] = await openRequests()
    await approveAll()
    await run()
    expect(await isCheckoutOn()).toBe(false)
    const message = 'A workflow applies the approval request, once all conditions of its stage hold'
    expect(await failureOf(apply(request?._id ?? ''))).toEqual({ code: 'invalid_request', message })
  })

  it('requires the approval of each of its requests, which are created when the stage begins', async () => {
    const { post, pass, run, openRequests, review, isCheckoutOn, api, as } = await workflowProject()
    await post([stage([wait(1)], turnOff), stage([approval, { ...approval, description: 'Law' }], turnOn)])
    expect(await openRequests()).toEqual([])
    pass(minute)
    await run()
    const [one, other] = await openRequests()
    await review(one?._id ?? '', 'approve')
    await run()
    expect(await isCheckoutOn()).toBe(false)
    await review(other?._id ?? '', 'approve')
    await run()
    expect(await isCheckoutOn()).toBe(true)
    expect((await api.listApprovalRequestsForFlag(flagKeys, { as })).items.map(({ status }) => status)).toEqual([
      'completed',
      'completed',
    ])
  })

  it('does not notify members who were deleted before the stage began', async () => {
    const { post, api, as, pass, run, openRequests } = await workflowProject()
    const { items } = await api.createMembers({ body: [{ email: 'bob@example.com', role: 'reader' }] }, { as })
    const id = items[0]?._id ?? ''
    await post([
      stage([wait(1)], turnOn),
      stage([{ ...approval, notifyMemberIds: [id], notifyTeamKeys: ['growth'] }], turnOff),
    ])
    await api.deleteMember({ id }, { as })
    pass(minute)
    await run()
    expect(
      (await openRequests()).map(({ notifyMemberIds, notifyTeamKeys }) => [notifyMemberIds, notifyTeamKeys]),
    ).toEqual([[[], ['growth']]])
  })
})

describe('a review in another process', () => {
  it('continues a workflow in a process that has read the approval request before', async () => {
    const memory = createMemoryStorage()
    const storage = laggingStorage(memory)
    const options = { clock: () => start, webhooks: false } as const
    const localEngine = createEngine({ ...options, storage })
    const otherEngine = createEngine({ ...options, storage: memory })
    const as = (await localEngine.bootstrap())?.token as string
    await localEngine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
    await localEngine.api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
    const body = { name: 'Launch', stages: [stage([approval], turnOn)] } as never
    const { _id: workflowId } = await localEngine.api.postWorkflow({ ...flagKeys, body }, { as })
    const { items } = await localEngine.api.listApprovalRequestsForFlag(flagKeys, { as })
    const id = items[0]?._id ?? ''
    await localEngine.api.getApprovalRequest({ id }, { as })
    await localEngine.api.getCustomWorkflow({ ...flagKeys, workflowId }, { as })
    storage.delay()
    await otherEngine.api.reviewApprovalRequest({ id, body: { kind: 'approve' } }, { as: person('bob') })
    await localEngine.runDueTasks()
    const { _execution } = await otherEngine.api.getCustomWorkflow({ ...flagKeys, workflowId }, { as })
    expect(_execution.status).toBe('completed')
  })
})
