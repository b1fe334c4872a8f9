import { describe, expect, it } from 'vitest'
import {
  approval,
  failureOf,
  stage,
  start,
  statusesOf,
  turnOff,
  turnOn,
  wait,
  workflowProject,
} from './test/workflow-project.ts'

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

  it('validates each stage against the flag in the state that the previous stages leave', async () => {
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
