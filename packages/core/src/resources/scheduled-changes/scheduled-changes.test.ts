import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { Storage } from '../../entries/storage.ts'
import { type As, createEngine } from '../../index.ts'
import { failureOf } from '../account/test/calls.ts'
import { allow, start } from '../flags/test/flag-project.ts'

const hour = 3_600_000
const turnOn = { kind: 'turnFlagOn' } as const
const flagKeys = { projectKey: 'web', flagKey: 'checkout', environmentKey: 'production' }
const flag = 'proj/web:env/production:flag/checkout'

/** Makes engines on one storage with one clock, and the project `web` with the flag `checkout`, which is off. */
async function scheduledProject(storage: Storage = createMemoryStorage()) {
  let now = start
  const openEngine = () => createEngine({ storage, clock: () => now, webhooks: false })
  const engine = openEngine()
  const owner = await engine.bootstrap({ email: 'ada@example.com' })
  if (!owner) throw new Error('the account exists already')
  const as: As = owner.token
  const { api } = engine
  await api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } }, { as })
  return {
    api,
    engine,
    as,
    open: openEngine,
    memberId: owner.memberId,
    pass: (ms: number) => (now += ms),
    schedule: (executionDate: number, overrides: object = {}, caller: As = as) =>
      api.createScheduledChange(
        { ...flagKeys, body: { executionDate, instructions: [turnOn], ...overrides } as never },
        { as: caller },
      ),
    patch: (id: string, instructions: readonly object[], caller: As = as) =>
      api.patchScheduledChange({ ...flagKeys, id, body: { instructions } as never }, { as: caller }),
    list: async () => (await api.listScheduledChanges(flagKeys, { as })).items,
    isOn: async () => (await api.getFlag(flagKeys, { as })).environments?.production?.on,
  }
}

describe('a scheduled change', () => {
  it('is returned with all properties, and listed by time', async () => {
    const { schedule, list, api, as, memberId } = await scheduledProject()
    const later = await schedule(start + 2 * hour, { comment: 'on the day' })
    const path = '/api/v2/projects/web/flags/checkout/environments/production/scheduled-changes'
    expect(later).toEqual({
      _id: expect.any(String),
      _creationDate: String(start),
      _maintainerId: memberId,
      _version: 1,
      executionDate: String(start + 2 * hour),
      instructions: [turnOn],
      comment: 'on the day',
      status: 'pending',
      _links: {
        self: { href: `${path}/${later._id}`, type: 'application/json' },
        parent: { href: path, type: 'application/json' },
      },
    })
    const sooner = await schedule(start + hour)
    expect((await list()).map(({ _id }) => _id)).toEqual([sooner._id, later._id])
    expect(await api.getScheduledChange({ ...flagKeys, id: later._id }, { as })).toEqual(later)
  })

  it('is applied once at its time, and then deleted', async () => {
    const { schedule, engine, pass, isOn, list } = await scheduledProject()
    await schedule(start + hour)
    pass(hour - 1)
    expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 0, more: false })
    expect(await isOn()).toBe(false)
    pass(1)
    expect(await engine.runDueTasks()).toEqual({ delivered: 1, failed: 0, more: false })
    expect(await isOn()).toBe(true)
    expect(await list()).toEqual([])
    expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 0, more: false })
  })

  it('is applied once when many engines run due tasks concurrently', async () => {
    const { schedule, open: openEngine, pass, api, as, isOn } = await scheduledProject()
    await schedule(start + hour)
    pass(hour)
    const taskReports = await Promise.all(Array.from({ length: 8 }, () => openEngine().runDueTasks()))
    expect(taskReports.reduce((sum, { delivered }) => sum + delivered, 0)).toBe(1)
    expect(await isOn()).toBe(true)
    const { items } = await api.listChangeLog({}, { as })
    const appliedEntries = items.filter(({ description }) => description.startsWith('applied the scheduled change'))
    expect(appliedEntries).toHaveLength(1)
  })

  it('creates a change log entry of the change, with its comment and author', async () => {
    const { schedule, engine, pass, api, as, memberId } = await scheduledProject()
    await schedule(start + hour, { comment: 'on the day' })
    pass(hour)
    await engine.runDueTasks()
    const [entry] = (await api.listChangeLog({}, { as })).items
    expect(entry).toMatchObject({ comment: 'on the day', member: { _id: memberId } })
    expect(entry?.accesses).toContainEqual({ action: 'updateOn', resource: flag })
  })

  it('is applied in the order of execution times when several changes are due', async () => {
    const { schedule, engine, pass, isOn } = await scheduledProject()
    await schedule(start + 2 * hour, { instructions: [{ kind: 'turnFlagOff' }] })
    await schedule(start + hour)
    pass(3 * hour)
    expect((await engine.runDueTasks()).delivered).toBe(2)
    expect(await isOn()).toBe(false)
  })

  it('can be rescheduled, replaced and deleted', async () => {
    const { schedule, patch, engine, pass, isOn, list } = await scheduledProject()
    const { _id } = await schedule(start + hour, { instructions: [{ kind: 'turnFlagOff' }] })
    const rescheduled = await patch(_id, [
      { kind: 'updateScheduledChangesExecutionDate', value: start + 2 * hour },
      { kind: 'replaceScheduledChangesInstructions', value: [turnOn] },
    ])
    expect(rescheduled).toMatchObject({ _version: 2, executionDate: String(start + 2 * hour), instructions: [turnOn] })
    pass(hour)
    expect((await engine.runDueTasks()).delivered).toBe(0)
    pass(hour)
    expect((await engine.runDueTasks()).delivered).toBe(1)
    expect(await isOn()).toBe(true)
    const secondChange = await schedule(start + 3 * hour)
    await patch(secondChange._id, [{ kind: 'deleteScheduledChange' }])
    expect(await list()).toEqual([])
    pass(hour)
    expect((await engine.runDueTasks()).delivered).toBe(0)
  })

  it('is deleted with its flag', async () => {
    const { schedule, engine, pass, api, as, list } = await scheduledProject()
    await schedule(start + hour)
    await api.deleteFlag({ projectKey: 'web', flagKey: 'checkout' }, { as })
    await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Another' } }, { as })
    pass(hour)
    expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 0, more: false })
    expect(await list()).toEqual([])
  })
})

describe('a scheduled change that cannot be applied', () => {
  it('stores the reason at its time, and is not tried again', async () => {
    const { schedule, engine, pass, api, as, list, isOn } = await scheduledProject()
    await schedule(start + hour)
    const production = { projectKey: 'web', environmentKey: 'production' }
    await api.patchEnvironment(
      { ...production, body: [{ op: 'replace', path: '/requireComments', value: true }] as never },
      { as },
    )
    pass(hour)
    expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 1, more: false })
    expect(await isOn()).toBe(false)
    const [failed] = await list()
    expect(failed).toMatchObject({ status: 'failed', failure: { date: String(start + hour) } })
    expect(failed?.failure?.reason).toMatch(/comment/)
    pass(hour)
    expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 0, more: false })
  })

  it('is rejected when it is scheduled', async () => {
    const { schedule } = await scheduledProject()
    const errorsOf = async (call: Promise<unknown>) => (await failureOf(call)).errors
    expect(await errorsOf(schedule(start))).toEqual([{ attribute: 'executionDate', reason: 'must be in the future' }])
    expect((await errorsOf(schedule(start + hour, { instructions: [] })))?.[0]?.attribute).toBe('instructions')
    const unknown = [{ kind: 'addClauses', ruleId: 'none', clauses: [] }]
    expect((await errorsOf(schedule(start + hour, { instructions: unknown })))?.[0]?.attribute).toMatch(
      /^instructions\.0/,
    )
  })

  it('does not bypass required approval', async () => {
    const { schedule, api, as, engine, pass, isOn } = await scheduledProject()
    await schedule(start + hour)
    await api.patchApprovalRequestSettings(
      { projectKey: 'web', body: { environmentKey: 'production', required: true } as never },
      { as },
    )
    expect((await failureOf(schedule(start + hour))).code).toBe('method_not_allowed')
    pass(hour)
    expect((await engine.runDueTasks()).failed).toBe(1)
    expect(await isOn()).toBe(false)
  })
})

describe('a change that was scheduled before its environment required approval', () => {
  it('is applied without approval only when the environment bypasses approvals for pending changes', async () => {
    const { schedule, patch, api, as, engine, pass, isOn } = await scheduledProject()
    const { _id } = await schedule(start + hour)
    const settings = [
      { op: 'replace', path: '/approvalSettings/required', value: true },
      { op: 'replace', path: '/approvalSettings/bypassApprovalsForPendingChanges', value: true },
    ]
    await api.patchEnvironment({ projectKey: 'web', environmentKey: 'production', body: settings as never }, { as })
    expect((await failureOf(schedule(start + hour))).code).toBe('method_not_allowed')
    const tags = [{ kind: 'addTags', values: ['x'] }, turnOn]
    const edit = [{ kind: 'replaceScheduledChangesInstructions', value: tags }]
    expect((await failureOf(patch(_id, edit))).code).toBe('method_not_allowed')
    pass(hour)
    expect(await engine.runDueTasks()).toMatchObject({ failed: 0 })
    expect(await isOn()).toBe(true)
  })
})

describe('the rights to schedule a change', () => {
  const callerWith = (...actions: string[]): As => ({
    policy: [allow(['viewProject'], ['proj/*']), allow(actions, [flag])],
  })

  it('include the rights to the change itself', async () => {
    const { schedule } = await scheduledProject()
    const caller = (...actions: string[]) => schedule(start + hour, {}, callerWith(...actions))
    expect((await failureOf(caller('updateScheduledChanges'))).code).toBe('forbidden')
    expect((await failureOf(caller('updateOn'))).code).toBe('forbidden')
    expect(await caller('updateOn', 'updateScheduledChanges')).toMatchObject({ status: 'pending' })
  })

  it('are checked again when the change is applied', async () => {
    const { api, as, engine, pass, isOn, schedule, list } = await scheduledProject()
    await api.createRole(
      { body: { key: 'dev', name: 'Dev', policy: [allow(['*'], ['proj/*']), allow(['*'], [flag])] as never } },
      { as },
    )
    const { token } = await api.createToken({ body: { name: 'dev', customRoleIds: ['dev'] } as never }, { as })
    await schedule(start + hour, {}, token as string)
    const policy = [{ op: 'replace', path: '/policy', value: [allow(['viewProject'], ['proj/*'])] }]
    await api.patchRole({ roleKey: 'dev', body: policy as never }, { as })
    pass(hour)
    expect((await engine.runDueTasks()).failed).toBe(1)
    expect(await isOn()).toBe(false)
    expect((await list())[0]?.failure?.reason).toMatch(/Forbidden/)
  })
})

describe('an approval request with an execution date', () => {
  async function withApprovalRequest(overrides: object = {}) {
    const project = await scheduledProject()
    const { api, as } = project
    const { _id } = await api.createApprovalRequest(
      {
        body: {
          resourceId: flag,
          description: 'Launch it',
          instructions: [turnOn],
          executionDate: start + hour,
          ...overrides,
        } as never,
      },
      { as },
    )
    return {
      ...project,
      id: _id,
      approve: () =>
        api.reviewApprovalRequest({ id: _id, body: { kind: 'approve' } }, { as: { role: 'admin', memberId: 'bob' } }),
      find: () => api.getApprovalRequest({ id: _id }, { as }),
    }
  }

  it('is applied at that time when it is approved', async () => {
    const { approve, pass, engine, isOn, find } = await withApprovalRequest()
    await approve()
    pass(hour - 1)
    expect((await engine.runDueTasks()).delivered).toBe(0)
    pass(1)
    expect((await engine.runDueTasks()).delivered).toBe(1)
    expect(await isOn()).toBe(true)
    expect(await find()).toMatchObject({ status: 'completed', appliedDate: String(start + hour) })
  })

  it('fails at that time when it is not approved', async () => {
    const { pass, engine, isOn, find } = await withApprovalRequest()
    pass(hour)
    expect((await engine.runDueTasks()).failed).toBe(1)
    expect(await isOn()).toBe(false)
    expect(await find()).toMatchObject({ status: 'failed' })
  })

  it('has no task after it was applied or deleted', async () => {
    for (const isApplied of [true, false]) {
      const { approve, pass, engine, api, as, id } = await withApprovalRequest()
      await approve()
      if (isApplied) await api.applyApprovalRequest({ id, body: {} }, { as })
      else await api.deleteApprovalRequest({ id }, { as })
      pass(hour)
      expect(await engine.runDueTasks()).toEqual({ delivered: 0, failed: 0, more: false })
    }
  })
})
