import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../index.ts'
import { laggingStorage } from '../../storage/test/lagging-storage.ts'
import {
  allow,
  approval,
  failureOf,
  flagKeys,
  hour,
  minute,
  person,
  stage,
  start,
  turnOff,
  turnOn,
  wait,
  workflowProject,
} from './test/workflow-project.ts'

const flag = 'proj/web:env/production:flag/checkout'
const link = (href: string) => ({ href, type: 'application/json' })
const statusesOf = (workflow: { readonly stages: readonly { readonly _execution: { readonly status: string } }[] }) =>
  workflow.stages.map(({ _execution }) => _execution.status)

describe('a workflow', () => {
  it('is returned with all properties, and listed', async () => {
    const { post, load, list, memberId } = await workflowProject()
    const first = stage([wait(10), { ...approval, description: 'Please' }], turnOn, { name: 'On' })
    const created = await post([first, stage([wait(5)], turnOff)], { description: 'A trial' })
    const path = '/api/v2/projects/web/flags/checkout/environments/production/workflows'
    const withoutReviews = { description: '', notifyMemberIds: [], allReviews: [], reviewStatus: 'pending' }
    expect(created).toEqual({
      _id: expect.any(String),
      _version: 1,
      _conflicts: [],
      _creationDate: String(start),
      _maintainerId: memberId,
      name: 'Launch',
      description: 'A trial',
      kind: 'custom',
      stages: [
        {
          _id: expect.any(String),
          name: 'On',
          conditions: [
            {
              _id: expect.any(String),
              kind: 'schedule',
              _execution: { status: 'scheduled' },
              scheduleKind: 'relative',
              executionDate: String(start + 10 * minute),
              waitDuration: 10,
              waitDurationUnit: 'calendarMinute',
              ...withoutReviews,
            },
            {
              _id: expect.any(String),
              kind: 'ld-approval',
              _execution: { status: 'pending' },
              ...withoutReviews,
              description: 'Please',
              notifyTeamKeys: [],
              approvalRequestId: expect.any(String),
            },
          ],
          action: { kind: 'patch', instructions: [turnOn] },
          _execution: { status: 'running' },
        },
        {
          _id: expect.any(String),
          conditions: [
            {
              _id: expect.any(String),
              kind: 'schedule',
              _execution: { status: 'pending' },
              scheduleKind: 'relative',
              waitDuration: 5,
              waitDurationUnit: 'calendarMinute',
              ...withoutReviews,
            },
          ],
          action: { kind: 'patch', instructions: [turnOff] },
          _execution: { status: 'pending' },
        },
      ],
      _execution: { status: 'running' },
      _links: { self: link(`${path}/${created._id}`), parent: link(path) },
    })
    expect(await load(created._id)).toEqual(created)
    expect(await list()).toEqual([created])
  })

  it('applies its stages one after the other, each at its time after the one before', async () => {
    const { post, load, pass, run, isCheckoutOn, descriptions } = await workflowProject()
    const { _id, _execution } = await post([
      stage([wait(10)], turnOn, { name: 'On' }),
      stage([{ kind: 'schedule', waitDuration: 1, waitDurationUnit: 'calendarHour' }], turnOff),
    ])
    expect(_execution).toEqual({ status: 'scheduled' })
    pass(10 * minute - 1)
    expect(await run()).toEqual({ done: 0, failed: 0 })
    pass(1)
    await run()
    expect(await isCheckoutOn()).toBe(true)
    const between = await load(_id)
    expect(statusesOf(between)).toEqual(['completed', 'scheduled'])
    expect(between.stages[0]?._execution.stopDate).toBe(String(start + 10 * minute))
    expect(between.stages[1]?.conditions[0]?.executionDate).toBe(String(start + 10 * minute + hour))
    pass(hour - 1)
    expect(await run()).toEqual({ done: 0, failed: 0 })
    pass(1)
    await run()
    expect(await isCheckoutOn()).toBe(false)
    const completed = await load(_id)
    expect(completed._execution).toEqual({ status: 'completed', stopDate: String(start + 10 * minute + hour) })
    expect(statusesOf(completed)).toEqual(['completed', 'completed'])
    const [last, first, created] = await descriptions()
    const it = 'the workflow “Launch” of checkout in Production'
    expect(created).toBe(`started ${it} with 2 stages`)
    expect(first).toBe(`applied the stage “On” of ${it}:\nturned on checkout in Production`)
    expect(last).toBe(`applied the last stage, 2, of ${it}:\nturned off checkout in Production`)
  })

  it('applies all stages at once when each is to be executed now', async () => {
    const { post, load, run, isCheckoutOn } = await workflowProject()
    const now = { kind: 'schedule', executeNow: true }
    const { _id } = await post([stage([now], turnOn), stage([], turnOff), stage([now], turnOn)])
    expect(await isCheckoutOn()).toBe(false)
    await run()
    expect(await isCheckoutOn()).toBe(true)
    expect((await load(_id))._execution.status).toBe('completed')
  })

  it('applies a stage once when many engines run due tasks concurrently', async () => {
    const { post, engine, pass, isCheckoutOn, descriptions } = await workflowProject()
    await post([stage([wait(1)], turnOn)])
    pass(minute)
    await Promise.all(Array.from({ length: 8 }, () => engine.runDueTasks()))
    expect(await isCheckoutOn()).toBe(true)
    expect((await descriptions()).filter((text) => text.startsWith('applied the last stage'))).toHaveLength(1)
  })

  it('starts a stage at a date that has passed as soon as its turn comes', async () => {
    const { post, pass, run, isCheckoutOn, load } = await workflowProject()
    const at = (executionDate: number) => ({ kind: 'schedule', scheduleKind: 'absolute', executionDate })
    const { _id } = await post([stage([at(start + hour)], turnOn), stage([at(start + minute)], turnOff)])
    pass(minute)
    await run()
    expect(statusesOf(await load(_id))).toEqual(['scheduled', 'pending'])
    pass(hour - minute)
    await run()
    expect([await isCheckoutOn(), (await load(_id))._execution.status]).toEqual([false, 'completed'])
  })

  it('is listed by status and in an order', async () => {
    const { post, pass, run, list, api, as } = await workflowProject()
    const short = await post([stage([], turnOn)], { name: 'Short' })
    await run()
    pass(minute)
    const long = await post([stage([wait(60)], turnOff)], { name: 'Long' })
    const idsOf = async (query: object) => (await list(query)).map(({ _id }) => _id)
    expect(await idsOf({})).toEqual([long._id, short._id])
    expect(await idsOf({ sort: 'creationDate' })).toEqual([short._id, long._id])
    expect(await idsOf({ sort: 'creationDate', limit: 1, offset: 1 })).toEqual([long._id])
    expect(await idsOf({ status: 'active' })).toEqual([long._id])
    expect(await idsOf({ status: 'completed' })).toEqual([short._id])
    expect(await idsOf({ status: 'failed' })).toEqual([])
    expect((await failureOf(api.getWorkflows({ ...flagKeys, flagKey: 'none' }, { as }))).code).toBe('not_found')
  })
})

describe('a stage that reviewers have to approve', () => {
  it('has an approval request with the stage, and is applied with it once it is approved', async () => {
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

  it('is applied in an environment that requires approval, which refuses a stage without', async () => {
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

  it('begins its conditions one after the other when it says so', async () => {
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

  it('is neither applied by a caller nor by the approval alone', async () => {
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

  it('requires the approval of each of its requests, made when its turn comes', async () => {
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

  it('leaves out members who were deleted before its turn', async () => {
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

  it('shows its conflicts before', async () => {
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

  it('fails when what was approved has changed since, with its approval requests', async () => {
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

describe('the rights of a workflow', () => {
  const workflowRights = [allow(['viewProject'], ['proj/*']), allow(['updateFeatureWorkflows'], [flag])]

  it('are those of its author for each stage, also where a later stage undoes an earlier one', async () => {
    const { post } = await workflowProject()
    const stages = [stage([wait(1)], turnOn), stage([wait(1)], turnOff)]
    expect((await failureOf(post(stages, {}, { policy: workflowRights }))).code).toBe('forbidden')
    expect((await failureOf(post(stages, {}, { policy: [allow(['updateOn'], [flag])] }))).code).toBe('forbidden')
    await post(stages, {}, { policy: [...workflowRights, allow(['updateOn'], [flag])] })
  })

  it('include those for approval requests when a stage has to be approved', async () => {
    const { post } = await workflowProject()
    const rights = [...workflowRights, allow(['updateOn'], [flag])]
    const stages = [stage([wait(1)], turnOff), stage([approval], turnOn)]
    expect((await failureOf(post(stages, {}, { policy: rights }))).code).toBe('forbidden')
    const requests = allow(['createApprovalRequest'], [flag])
    expect((await failureOf(post(stages, {}, { policy: [...rights, requests] }))).code).toBe('forbidden')
    await post(stages, {}, { policy: [...rights, requests, allow(['applyApprovalRequest'], [flag])] })
  })

  it('are checked again when a stage runs', async () => {
    const { post, load, api, as, pass, run, isCheckoutOn } = await workflowProject()
    await api.createRole(
      { body: { key: 'ops', name: 'Ops', policy: [...workflowRights, allow(['updateOn'], [flag])] as never } },
      { as },
    )
    const { token } = await api.createToken({ body: { customRoleIds: ['ops'], serviceToken: true } }, { as })
    const { _id } = await post([stage([wait(1)], turnOn), stage([wait(1)], turnOff)], {}, token)
    pass(minute)
    await run()
    expect(await isCheckoutOn()).toBe(true)
    const policy = [{ op: 'replace', path: '/policy', value: workflowRights }]
    await api.patchRole({ roleKey: 'ops', body: policy as never }, { as })
    pass(minute)
    expect((await run()).failed).toBe(1)
    expect(await isCheckoutOn()).toBe(true)
    expect((await load(_id)).failure?.reason).toMatch(/^Forbidden/)
  })

  it('are needed to delete one', async () => {
    const { post, deleteWorkflow } = await workflowProject()
    const { _id } = await post([stage([wait(1)], turnOn)])
    const viewer = { policy: [allow(['viewProject'], ['proj/*'])] }
    expect((await failureOf(deleteWorkflow(_id, viewer))).code).toBe('forbidden')
    await deleteWorkflow(_id, { policy: workflowRights })
  })
})

describe('the creation of a workflow', () => {
  it('names the invalid part of the stages', async () => {
    const { post } = await workflowProject()
    const attributesOf = async (call: Promise<unknown>) =>
      (await failureOf(call)).errors?.map(({ attribute, reason }) => `${attribute} ${reason}`)
    const missing = { kind: 'addClauses', ruleId: 'none', clauses: [] }
    expect(await attributesOf(post([]))).toEqual(['stages must contain at least 1 stage'])
    expect(await attributesOf(post([stage([], turnOn), stage([], missing)]))).toEqual([
      expect.stringMatching(/^stages\.1\.action\.instructions\.0/),
    ])
    const past = { kind: 'schedule', executionDate: start }
    expect(await attributesOf(post([stage([past], turnOn)]))).toEqual([
      'stages.0.conditions.0.executionDate must be in the future',
    ])
    expect(await attributesOf(post([stage([{ kind: 'schedule' }], turnOn)]))).toEqual([
      'stages.0.conditions.0 must have executionDate, waitDuration with waitDurationUnit, or executeNow',
    ])
    expect(await attributesOf(post([stage([{ ...approval, notifyMemberIds: ['none'] }], turnOn)]))).toEqual([
      'stages.0.conditions.0.notifyMemberIds.0 must be the id of a member',
    ])
    expect(await attributesOf(post([stage([], turnOn)], { maintainerId: 'none' }))).toEqual([
      'maintainerId must be the id of a member',
    ])
  })

  it('validates each stage against the flag as the ones before it leave it', async () => {
    const { post, create } = await workflowProject()
    const variations = (await create('base')).variations.map(({ _id }) => _id)
    const add = { kind: 'addPrerequisite', key: 'base', variationId: variations[0] }
    const update = { kind: 'updatePrerequisite', key: 'base', variationId: variations[1] }
    expect((await failureOf(post([stage([], update)]))).errors?.[0]?.attribute).toMatch(/^stages\.0\.action\./)
    const other = { ...add, variationId: variations[1] }
    expect((await failureOf(post([stage([], add), stage([], other)]))).errors?.[0]?.attribute).toMatch(
      /^stages\.1\.action\./,
    )
    expect((await post([stage([wait(1)], add), stage([wait(1)], update)]))._conflicts).toEqual([])
  })

  it('stores nothing in a dry run', async () => {
    const { post, list, openRequests, run, descriptions } = await workflowProject()
    const before = await descriptions()
    const planned = await post([stage([approval], turnOn), stage([], turnOff)], {}, undefined, { dryRun: true })
    expect(statusesOf(planned)).toEqual(['running', 'pending'])
    expect([await list(), await openRequests(), await run()]).toEqual([[], [], { done: 0, failed: 0 }])
    expect(await descriptions()).toEqual(before)
    expect((await failureOf(post([stage([], { kind: 'none' })], {}, undefined, { dryRun: true }))).code).toBe(
      'invalid_request',
    )
  })
})

describe('the deletion of a workflow', () => {
  it('stops what is pending: its task, and its open approval requests', async () => {
    const { post, deleteWorkflow, pass, run, isCheckoutOn, openRequests, load } = await workflowProject()
    const scheduled = await post([stage([wait(1)], turnOn)])
    const reviewed = await post([stage([approval], turnOn)])
    await deleteWorkflow(scheduled._id)
    await deleteWorkflow(reviewed._id)
    expect(await openRequests()).toEqual([])
    pass(hour)
    expect(await run()).toEqual({ done: 0, failed: 0 })
    expect(await isCheckoutOn()).toBe(false)
    expect((await failureOf(load(scheduled._id))).code).toBe('not_found')
  })

  it('is undone by a revert, before the time of a stage has passed only', async () => {
    const { post, deleteWorkflow, api, as, pass, run, isCheckoutOn, load, approveAll } = await workflowProject()
    const { _id } = await post([stage([wait(10), approval], turnOn)])
    await deleteWorkflow(_id)
    const [entry] = (await api.listChangeLog({}, { as })).items
    await api.revertChangeLogEntry({ id: entry?._id ?? '', body: {} }, { as })
    await approveAll()
    await run()
    pass(10 * minute)
    await run()
    expect([await isCheckoutOn(), (await load(_id))._execution.status]).toEqual([true, 'completed'])
    const second = await post([stage([wait(10)], turnOff)])
    await deleteWorkflow(second._id)
    const [late] = (await api.listChangeLog({}, { as })).items
    pass(10 * minute)
    const message = 'This entry cannot be reverted: the time of a stage of the workflow has passed'
    expect(await failureOf(api.revertChangeLogEntry({ id: late?._id ?? '', body: {} }, { as }))).toMatchObject({
      message,
    })
  })

  it('follows from that of the flag and that of the environment', async () => {
    const { post, api, as, pass, run, list, create } = await workflowProject()
    await post([stage([wait(1)], turnOn)])
    await api.deleteFlag({ projectKey: 'web', flagKey: 'checkout' }, { as })
    await create('checkout')
    pass(minute)
    expect(await run()).toEqual({ done: 0, failed: 0 })
    expect(await list()).toEqual([])
    await post([stage([wait(1)], turnOn)])
    const environment = await api.getEnvironment({ projectKey: 'web', environmentKey: 'production' }, { as })
    await api.deleteEnvironment({ projectKey: 'web', environmentKey: 'production' }, { as })
    const { key, name, color } = environment
    await api.createEnvironment({ projectKey: 'web', body: { key, name, color } as never }, { as })
    pass(minute)
    expect(await run()).toEqual({ done: 0, failed: 0 })
    expect(await list()).toEqual([])
  })
})

describe('the entry of a stage', () => {
  it('names the author and the workflow, and each change once', async () => {
    const { post, run, approveAll, api, as, memberId, descriptions } = await workflowProject()
    await post([stage([approval], turnOn, { name: 'On' })])
    await approveAll()
    await run()
    const [entry] = (await api.listChangeLog({}, { as })).items
    expect(entry).toMatchObject({ comment: 'Workflow Launch: On', member: { _id: memberId } })
    expect(entry?.accesses).toContainEqual({ action: 'updateOn', resource: flag })
    expect((await descriptions())[0]).toBe(
      'applied the last stage, “On”, of the workflow “Launch” of checkout in Production:\nturned on checkout in Production',
    )
  })

  it('is reverted by the change of the flag alone', async () => {
    const { post, run, approveAll, api, as, isCheckoutOn, load } = await workflowProject()
    const { _id } = await post([stage([approval], turnOn)])
    await approveAll()
    await run()
    const [entry] = (await api.listChangeLog({}, { as })).items
    await api.revertChangeLogEntry({ id: entry?._id ?? '', body: {} }, { as })
    expect(await isCheckoutOn()).toBe(false)
    const { _execution, stages } = await load(_id)
    expect([_execution.status, stages[0]?.conditions[0]?.appliedDate]).toEqual(['completed', String(start)])
  })
})
