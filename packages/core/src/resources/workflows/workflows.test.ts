import { describe, expect, it } from 'vitest'
import {
  approval,
  failureOf,
  flagKeys,
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

const flag = 'proj/web:env/production:flag/checkout'
const link = (href: string) => ({ href, type: 'application/json' })

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

  it('applies its stages one after the other, each at its time after the previous stage', async () => {
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

  it('applies all stages immediately when each is to be executed now', async () => {
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

  it('is listed, filtered by status and sorted', async () => {
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

describe('the change log entry of a stage', () => {
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

  it('can be reverted, which restores the flag and leaves the workflow as it is', async () => {
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
