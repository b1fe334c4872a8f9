import { describe, expect, it } from 'vitest'
import {
  allow,
  approval,
  failureOf,
  minute,
  stage,
  turnOff,
  turnOn,
  wait,
  workflowProject,
} from './test/workflow-project.ts'

const flag = 'proj/web:env/production:flag/checkout'

describe('the rights of a workflow', () => {
  const workflowRights = [allow(['viewProject'], ['proj/*']), allow(['updateFeatureWorkflows'], [flag])]

  it('are the rights of its author to each stage, even when a later stage undoes an earlier one', async () => {
    const { post } = await workflowProject()
    const stages = [stage([wait(1)], turnOn), stage([wait(1)], turnOff)]
    expect((await failureOf(post(stages, {}, { policy: workflowRights }))).code).toBe('forbidden')
    expect((await failureOf(post(stages, {}, { policy: [allow(['updateOn'], [flag])] }))).code).toBe('forbidden')
    await post(stages, {}, { policy: [...workflowRights, allow(['updateOn'], [flag])] })
  })

  it('include the rights for approval requests when a stage has to be approved', async () => {
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

  it('are required to delete the workflow', async () => {
    const { post, deleteWorkflow } = await workflowProject()
    const { _id } = await post([stage([wait(1)], turnOn)])
    const viewer = { policy: [allow(['viewProject'], ['proj/*'])] }
    expect((await failureOf(deleteWorkflow(_id, viewer))).code).toBe('forbidden')
    await deleteWorkflow(_id, { policy: workflowRights })
  })
})
