import { beforeEach, describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import {
  allow,
  editor,
  errorAttributesOf,
  keys,
  type OptimizationAccount,
  optimizationAccount,
  runId,
  start,
} from './test/optimization-account.ts'

let account: OptimizationAccount

beforeEach(async () => {
  account = await optimizationAccount()
})

const base = '/api/v2/projects/web/agent-optimizations/tone'
const denied = { status: 403, code: 'forbidden' }

describe('a result', () => {
  it('is created as running and pending, with all properties of the specification', async () => {
    const created = await account.post(1, { parameters: { temperature: 0.2 } })
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      runId: runId(1),
      agentOptimizationId: account.optimization.id,
      agentOptimizationVersion: 1,
      iteration: 1,
      instructions: 'Be kind',
      userInput: 'Hello',
      parameters: { temperature: 0.2 },
      status: 'RUNNING',
      activity: 'PENDING',
      createdAt: start,
      updatedAt: start,
      _links: {
        self: { href: `${base}/results/${created.id}`, type: 'application/json' },
        parent: { href: base, type: 'application/json' },
      },
      _access: expect.objectContaining({ denied: [] }),
    })
  })

  it('accepts all properties that a patch may set', async () => {
    const { id } = await account.post(1)
    const update = {
      activity: 'EVALUATING',
      completionResponse: 'Hi!',
      scores: { accuracy: { score: 0.9 } },
      variation: { model: 'large' },
      createdVariationKey: 'warm',
      generationTokens: { total: 12 },
      generationLatency: 812.5,
      evaluationTokens: { total: 7 },
      evaluationLatencies: { accuracy: 120 },
    }
    account.pass(500)
    const changed = await account.patch(id, update)
    expect(changed).toMatchObject({ ...update, status: 'RUNNING', createdAt: start, updatedAt: start + 500 })
    expect('completedAt' in changed).toBe(false)
    expect((await account.latest()).items).toEqual([changed])
  })

  it.each(['PASSED', 'FAILED', 'ERRORED'])(
    'with status %s is complete, and its status cannot change',
    async (status) => {
      const { id } = await account.post(1)
      account.pass(60_000)
      expect(await account.patch(id, { status, activity: 'COMPLETED' })).toMatchObject({
        status,
        completedAt: start + 60_000,
      })
      account.pass(60_000)
      for (const other of ['RUNNING', 'PASSED', 'FAILED', 'ERRORED'].filter((item) => item !== status)) {
        await expect(account.patch(id, { status: other })).rejects.toMatchObject({
          status: 400,
          errors: [{ attribute: 'status', reason: `must not change: ${status} is a final status` }],
        })
      }
      expect(await account.patch(id, { status, createdVariationKey: 'warm' })).toMatchObject({
        completedAt: start + 60_000,
        updatedAt: start + 120_000,
        createdVariationKey: 'warm',
      })
    },
  )

  it('reports all validation errors of a request', async () => {
    const bad = { runId: 'x', agentOptimizationVersion: 0, iteration: 1.5, instructions: 3, parameters: [] }
    await expect(account.post(1, bad)).rejects.toMatchObject({
      status: 400,
      errors: [
        { attribute: 'runId', reason: 'must be a UUID in lower case' },
        { attribute: 'agentOptimizationVersion', reason: 'must be at least 1' },
        { attribute: 'iteration', reason: 'must be an integer' },
        { attribute: 'instructions', reason: 'must be a string' },
        { attribute: 'parameters', reason: 'must be an object' },
      ],
    })
    const { id } = await account.post(1)
    const worse = {
      status: 'DONE',
      activity: 'RESTING',
      generationLatency: -1,
      runId: runId(2),
      createdVariationKey: '',
    }
    expect(await errorAttributesOf(account.patch(id, worse))).toEqual([
      'activity',
      'createdVariationKey',
      'generationLatency',
      'runId',
      'status',
    ])
  })

  it('requires an existing version of the optimization', async () => {
    await expect(account.post(1, { agentOptimizationVersion: 2 })).rejects.toMatchObject({
      errors: [{ attribute: 'agentOptimizationVersion', reason: 'must be at most 1, the newest version' }],
    })
    await account.api.patchAgentOptimization({ ...keys, body: { maxAttempts: 9 } }, { as: account.as })
    expect(await account.post(1, { agentOptimizationVersion: 2 })).toMatchObject({ agentOptimizationVersion: 2 })
    expect(await account.post(1, { agentOptimizationVersion: 1 })).toMatchObject({ agentOptimizationVersion: 1 })
  })

  it('is not found under another optimization', async () => {
    const { id } = await account.post(1)
    const body = { key: 'other', aiConfigKey: 'support', maxAttempts: 5, judgeModel: 'judge-1' }
    await account.api.createAgentOptimization({ projectKey: 'web', body }, { as: account.as })
    const elsewhere = { projectKey: 'web', optimizationKey: 'other', resultId: id, body: { status: 'FAILED' as const } }
    await expect(account.api.patchAgentOptimizationResult(elsewhere, { as: account.as })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('requires the matching action on the optimization', async () => {
    await expect(account.post(1, {}, editor('updateAgentOptimizationResult'))).rejects.toMatchObject(denied)
    const { id } = await account.post(1, {}, editor('createAgentOptimizationResult'))
    await expect(
      account.patch(id, { activity: 'GENERATING' }, editor('createAgentOptimizationResult')),
    ).rejects.toMatchObject(denied)
    const updater = editor('updateAgentOptimizationResult')
    await expect(account.patch(id, { activity: 'GENERATING' }, updater)).resolves.toMatchObject({
      activity: 'GENERATING',
    })
    const callerWithoutView: As = {
      policy: [allow(['updateAgentOptimizationResult'], ['proj/*:agent-optimization/*'])],
    }
    await expect(account.patch(id, { activity: 'EVALUATING' }, callerWithoutView)).rejects.toMatchObject(denied)
    await expect(account.deleteRun(1, updater)).rejects.toMatchObject(denied)
    await expect(account.deleteRun(1, editor('deleteAgentOptimizationRun'))).resolves.toBeUndefined()
  })
})

describe('the results of an optimization', () => {
  it('are listed by run with only the newest result of each run, newest first', async () => {
    await account.post(1, { iteration: 1 })
    account.pass(10)
    await account.post(2, { iteration: 1 })
    account.pass(10)
    const newest = await account.post(1, { iteration: 2 })
    const { items, totalCount } = await account.latest()
    expect(items.map((item) => [item.runId, item.iteration])).toEqual([
      [runId(1), 2],
      [runId(2), 1],
    ])
    expect(totalCount).toBe(2)
    expect(items[0]).toEqual(newest)
  })

  it('with equal times are ordered by iteration', async () => {
    await account.post(1, { iteration: 3 })
    await account.post(1, { iteration: 2 })
    await account.post(2, { iteration: 9 })
    expect((await account.latest()).items.map(({ iteration }) => iteration)).toEqual([9, 3])
  })

  it('stay in order when the clock goes backward', async () => {
    const newest = await account.post(1)
    account.pass(-5000)
    await account.post(1, { iteration: 2 })
    expect((await account.latest()).items).toEqual([newest])
    expect((await account.resultsOf(1)).items.map(({ iteration }) => iteration)).toEqual([1, 2])
  })

  it('are listed in pages with links', async () => {
    for (let run = 1; run <= 5; run++) {
      await account.post(run)
      account.pass(1)
    }
    const page = await account.latest({ limit: 2, offset: 2 })
    expect(page.items.map((item) => item.runId)).toEqual([runId(3), runId(2)])
    expect(page.totalCount).toBe(5)
    const pageLink = (offset: number) => ({
      href: `${base}/results?limit=2&offset=${offset}`,
      type: 'application/json',
    })
    expect(page._links).toEqual({
      self: expect.anything(),
      first: pageLink(0),
      prev: pageLink(0),
      next: pageLink(4),
      last: pageLink(4),
    })
    await expect(account.latest({ limit: 101 })).rejects.toMatchObject({ errors: [{ attribute: 'limit' }] })
    await expect(account.latest({ offset: -1 })).rejects.toMatchObject({ errors: [{ attribute: 'offset' }] })
  })

  it('are listed over all runs and by run, newest first', async () => {
    await account.post(1)
    account.pass(1)
    await account.post(2)
    account.pass(1)
    await account.post(1, { iteration: 2 })
    expect((await account.all()).items.map((item) => [item.runId, item.iteration])).toEqual([
      [runId(1), 2],
      [runId(2), 1],
      [runId(1), 1],
    ])
    expect(await account.resultsOf(1, { limit: 1, offset: 1 })).toMatchObject({
      items: [{ runId: runId(1), iteration: 1 }],
      totalCount: 2,
    })
    await expect(account.resultsOf(3)).rejects.toMatchObject({ status: 404 })
  })

  it('are refused with 404 for an unknown optimization', async () => {
    const nowhere = { projectKey: 'web', optimizationKey: 'none' }
    const { api, as } = account
    await expect(api.listAgentOptimizationResults(nowhere, { as })).rejects.toMatchObject({ status: 404 })
    await expect(api.listAgentOptimizationRuns(nowhere, { as })).rejects.toMatchObject({ status: 404 })
    await expect(api.listAllAgentOptimizationResults(nowhere, { as })).rejects.toMatchObject({ status: 404 })
  })

  it('are not visible to callers who may not view the project', async () => {
    const callerWithoutRight: As = { policy: [allow(['*'], ['proj/web:agent-optimization/*'])] }
    const { api } = account
    await expect(api.listAgentOptimizationResults(keys, { as: callerWithoutRight })).rejects.toMatchObject(denied)
  })
})
