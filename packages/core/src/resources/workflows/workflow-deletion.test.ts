import { describe, expect, it } from 'vitest'
import {
  approval,
  failureOf,
  hour,
  minute,
  stage,
  turnOff,
  turnOn,
  wait,
  workflowProject,
} from './test/workflow-project.ts'

describe('the deletion of a workflow', () => {
  it('stops its pending task and its open approval requests', async () => {
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

  it('can be reverted only before the time of a stage has passed', async () => {
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

  it('happens with the deletion of its flag and of its environment', async () => {
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
