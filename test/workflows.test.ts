import { createEngine } from '@halyard/core'
import { expect, it } from 'vitest'
import { everyStorage } from './setup/every-storage.ts'

const hour = 3_600_000
const flag = { projectKey: 'web', flagKey: 'checkout' }
const inProduction = { ...flag, environmentKey: 'production' }
const author = { role: 'owner' } as const
const reviewer = { role: 'admin', memberId: 'bob' } as const
const storages = Object.entries(everyStorage())

it.each(storages)('a workflow waits, is reviewed, changes the flag twice and ends, on %s', async (_, open) => {
  let now = Date.UTC(2026, 0, 1)
  await using engine = createEngine({ storage: await open(), clock: () => now, webhooks: false })
  const api = engine.as(author)
  await api.createProject({ body: { key: 'web', name: 'Web' } })
  await api.createFlag({ projectKey: 'web', body: { key: 'checkout', name: 'Checkout' } })
  const wait = { kind: 'schedule', waitDuration: 1, waitDurationUnit: 'calendarHour' } as const
  const approval = { kind: 'ld-approval', description: 'Turn it on' } as const
  const created = await api.postWorkflow({
    ...inProduction,
    body: {
      name: 'Launch',
      stages: [
        { conditions: [wait, approval], action: { instructions: [{ kind: 'turnFlagOn' }] } },
        { conditions: [wait], action: { instructions: [{ kind: 'turnFlagOff' }] } },
      ],
    },
  })
  const keys = { ...inProduction, workflowId: created._id }
  const state = async () => {
    const { environments } = await api.getFlag(flag)
    const { stages } = await api.getCustomWorkflow(keys)
    return [environments?.production?.on, ...stages.map(({ _execution }) => _execution.status)]
  }
  const later = async () => {
    now += hour
    await engine.runDueTasks()
    return state()
  }
  expect(await later()).toEqual([false, 'running', 'pending'])
  const [request] = (await api.listApprovalRequestsForFlag(inProduction)).items
  await engine.as(reviewer).reviewApprovalRequest({ id: request?._id ?? '', body: { kind: 'approve' } })
  await engine.runDueTasks()
  expect(await state()).toEqual([true, 'completed', 'scheduled'])
  expect(await later()).toEqual([false, 'completed', 'completed'])
  const { items } = await api.getWorkflows({ ...inProduction, status: 'completed' })
  expect(items).toEqual([await api.getCustomWorkflow(keys)])
  await api.deleteWorkflow(keys)
  expect((await api.getWorkflows(inProduction)).totalCount).toBe(0)
})
