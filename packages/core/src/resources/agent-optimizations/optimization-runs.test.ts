import { beforeEach, describe, expect, it } from 'vitest'
import { type OptimizationAccount, optimizationAccount, runId, start } from './test/optimization-account.ts'

let account: OptimizationAccount

beforeEach(async () => {
  account = await optimizationAccount()
})

const base = '/api/v2/projects/web/agent-optimizations/tone'

describe('runs of an optimization', () => {
  it('are listed with the state of their newest result, the most recently started first', async () => {
    const { id } = await account.post(1)
    account.pass(10)
    await account.post(2)
    account.pass(10)
    const second = await account.post(1, { iteration: 2 })
    await account.patch(id, { status: 'FAILED' })
    account.pass(10)
    await account.patch(second.id, { status: 'PASSED', activity: 'VALIDATING' })
    const { items, totalCount } = await account.runs()
    expect(totalCount).toBe(2)
    expect(items.map((item) => item.runId)).toEqual([runId(2), runId(1)])
    const self = `${base}/runs/${runId(1)}`
    expect(items[1]).toEqual({
      _links: {
        self: { href: self, type: 'application/json' },
        parent: { href: base, type: 'application/json' },
        results: { href: `${self}/results`, type: 'application/json' },
      },
      runId: runId(1),
      optimizationKey: 'tone',
      agentOptimizationId: account.optimization.id,
      agentOptimizationVersion: 1,
      status: 'PASSED',
      activity: 'VALIDATING',
      iteration: 2,
      resultCount: 2,
      createdAt: start,
      updatedAt: start + 30,
      completedAt: start + 30,
    })
  })

  it('are deleted with all their results, and without results of other runs', async () => {
    const { id } = await account.post(1)
    await account.post(1)
    const otherRunResult = await account.post(2)
    const path = `/tone/runs/${runId(1)}`
    expect((await account.send('DELETE', path)).status).toBe(403)
    expect((await account.send('DELETE', path, undefined, { 'svc-api-version': 'beta' })).status).toBe(204)
    expect((await account.all()).items).toEqual([otherRunResult])
    expect((await account.latest()).items).toEqual([otherRunResult])
    await expect(account.patch(id, { status: 'PASSED' })).rejects.toMatchObject({ status: 404 })
    await expect(account.deleteRun(1)).rejects.toMatchObject({ status: 404 })
  })

  it('have a change log entry when they are deleted', async () => {
    await account.post(1)
    await account.deleteRun(1)
    const { items } = await account.api.listChangeLog({ limit: 1 }, { as: account.as })
    expect(JSON.stringify(items[0])).toContain(runId(1))
    expect(JSON.stringify(items[0])).toContain('proj/web:agent-optimization/tone')
  })

  it('reject more than 1,000 results', { timeout: 30_000 }, async () => {
    for (let i = 0; i < 1000; i++) await account.post(1, { iteration: i })
    await expect(account.post(1)).rejects.toMatchObject({
      errors: [{ attribute: 'runId', reason: 'must refer to a run with fewer than 1000 results' }],
    })
    expect(await account.runs()).toMatchObject({ items: [{ resultCount: 1000, iteration: 999 }] })
    await account.deleteRun(1)
    expect(await account.all()).toMatchObject({ totalCount: 0 })
  })
})
