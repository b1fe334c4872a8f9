import { beforeEach, describe, expect, it } from 'vitest'
import type { As } from '../../index.ts'
import { awaitTurns } from '../flags/test/flag-project.ts'
import {
  allow,
  editor,
  errorAttributesOf,
  keys,
  type OptimizationAccount,
  optimizationAccount,
  projectKey,
  start,
} from './test/optimization-account.ts'

let account: OptimizationAccount

beforeEach(async () => {
  account = await optimizationAccount()
})

const base = '/api/v2/projects/web/agent-optimizations'

const full = {
  key: 'full',
  aiConfigKey: 'support',
  maxAttempts: 3,
  judgeModel: 'judge-1',
  modelChoices: ['small', 'large'],
  variableChoices: [{ tone: 'warm', words: 40 }],
  acceptanceStatements: [{ statement: 'It is polite', threshold: 0.9 }],
  judges: [{ key: 'accuracy', threshold: 0 }],
  userInputOptions: ['Hello', 'Where is my order?'],
  groundTruthResponses: ['Hi!', 'On its way.'],
  metricKey: 'satisfaction',
  tokenLimit: 50_000,
  variationKey: 'warm',
  label: 'Tone of voice',
  latencyOptimization: false,
  tokenOptimization: true,
  autoCommit: false,
}

const create = (body: object, caller: As = account.as) =>
  account.api.createAgentOptimization({ projectKey, body: body as typeof full }, { as: caller })
const change = (body: object, caller: As = account.as) =>
  account.api.patchAgentOptimization({ ...keys, body }, { as: caller })
const get = (optimizationKey = 'tone', caller: As = account.as) =>
  account.api.getAgentOptimization({ projectKey, optimizationKey }, { as: caller })

describe('createAgentOptimization', () => {
  it('stores every property, and responds with version 1', async () => {
    const created = await create(full)
    expect(created).toEqual({
      ...full,
      _links: {
        self: { href: `${base}/full`, type: 'application/json' },
        parent: { href: base, type: 'application/json' },
      },
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      version: 1,
      createdAt: start,
      updatedAt: start,
      _access: expect.objectContaining({ denied: [] }),
    })
    expect(await get('full')).toEqual(created)
  })

  it('responds with 201; omitted lists are empty, and other omitted properties are absent', async () => {
    const body = { key: 'bare', aiConfigKey: 'support', maxAttempts: 1, judgeModel: 'j' }
    const response = await account.send('POST', '', body)
    expect(response.status).toBe(201)
    expect(response.body).toMatchObject({ modelChoices: [], variableChoices: [], acceptanceStatements: [], judges: [] })
    expect(response.body).toMatchObject({ userInputOptions: [], groundTruthResponses: [] })
    expect('metricKey' in (response.body as object)).toBe(false)
  })

  it('responds with 409 when the key is taken', async () => {
    await expect(create({ ...full, key: 'tone' })).rejects.toMatchObject({
      status: 409,
      code: 'optimistic_locking_error',
      message: 'There is an agent optimization tone already',
    })
  })

  it('reports all validation errors of the body together', async () => {
    const faulty = {
      ...full,
      key: '__proto__',
      aiConfigKey: 1,
      maxAttempts: 0,
      judgeModel: '',
      acceptanceStatements: [{ statement: 'x', threshold: 1.1 }],
      judges: [{ key: 'a', threshold: -1, more: 1 }],
      colour: 'red',
    }
    expect(await errorAttributesOf(create(faulty))).toEqual([
      'acceptanceStatements.0.threshold',
      'aiConfigKey',
      'colour',
      'judgeModel',
      'judges.0.more',
      'judges.0.threshold',
      'key',
      'maxAttempts',
    ])
  })

  it('reports every missing required property', async () => {
    await expect(create({})).rejects.toMatchObject({
      status: 400,
      errors: ['key', 'aiConfigKey', 'maxAttempts', 'judgeModel'].map((attribute) => ({
        attribute,
        reason: 'must be present',
      })),
    })
  })

  it('requires an AI config of the project', async () => {
    const { api, as } = account
    await api.createProject({ body: { key: 'other', name: 'Other' } }, { as })
    await api.createAIConfig({ projectKey: 'other', body: { key: 'theirs', name: 'Theirs' } }, { as })
    for (const aiConfigKey of ['theirs', 'nobody']) {
      await expect(create({ ...full, aiConfigKey })).rejects.toMatchObject({
        status: 400,
        errors: [{ attribute: 'aiConfigKey', reason: 'must be the key of an AI config of the project' }],
      })
    }
  })

  it('fails when its AI config is deleted concurrently', async () => {
    const { api, as } = account
    const rejectedStatuses = new Set<number>()
    for (let lead = 0; lead < 120; lead++) {
      const aiConfigKey = `config-${lead}`
      await api.createAIConfig({ projectKey, body: { key: aiConfigKey, name: aiConfigKey } }, { as })
      const removal = api.deleteAIConfig({ projectKey, configKey: aiConfigKey }, { as })
      await awaitTurns(lead)
      const [created] = await Promise.allSettled([create({ ...full, key: `made-${lead}`, aiConfigKey }), removal])
      if (created.status === 'fulfilled') continue
      rejectedStatuses.add(created.reason.status)
      await expect(get(`made-${lead}`)).rejects.toMatchObject({ status: 404 })
    }
    // A creation that loses the race against the deletion runs again, and then finds that the config does not exist.
    expect([...rejectedStatuses]).toEqual([400])
  })

  it('responds with 404 for an unknown project', async () => {
    const call = account.api.createAgentOptimization({ projectKey: 'none', body: full }, { as: account.as })
    await expect(call).rejects.toMatchObject({ status: 404 })
  })
})

describe('patchAgentOptimization', () => {
  it('creates a new version', async () => {
    account.pass(1000)
    const changed = await change({ maxAttempts: 7, modelChoices: ['large'], comment: 'more' })
    expect(changed).toMatchObject({ version: 2, maxAttempts: 7, modelChoices: ['large'], updatedAt: start + 1000 })
    expect(changed).toMatchObject({ createdAt: start, judgeModel: 'judge-1' })
    expect('comment' in changed).toBe(false)
  })

  it('creates no version when nothing changes', async () => {
    account.pass(1000)
    expect(await change({ maxAttempts: 5 })).toMatchObject({ version: 1, updatedAt: start })
  })

  it('sets and removes the metric', async () => {
    expect(await change({ metricKey: 'satisfaction' })).toMatchObject({ metricKey: 'satisfaction' })
    expect(await change({ judgeModel: 'judge-2' })).toMatchObject({ metricKey: 'satisfaction' })
    expect('metricKey' in (await change({ metricKey: null }))).toBe(false)
    expect('metricKey' in (await get())).toBe(false)
  })

  it('rejects changes of the key and the AI config', async () => {
    expect(await errorAttributesOf(change({ key: 'other' }))).toEqual(['key'])
    expect(await errorAttributesOf(change({ aiConfigKey: 'other' }))).toEqual(['aiConfigKey'])
  })

  it('does not remove required properties', async () => {
    expect(await errorAttributesOf(change({ judgeModel: null, judges: null, autoCommit: null }))).toEqual([
      'judgeModel',
      'judges',
    ])
  })

  it('responds with 409 when If-Match names another version', async () => {
    const response = await account.send('PATCH', '/tone', { maxAttempts: 2 }, { 'if-match': '"2"' })
    expect(response.status).toBe(409)
    expect((await get()).maxAttempts).toBe(5)
  })

  it('loses no change when two run concurrently', async () => {
    const outcomes = await Promise.allSettled([change({ maxAttempts: 8 }), change({ judgeModel: 'judge-3' })])
    const createdCount = outcomes.filter(({ status }) => status === 'fulfilled').length
    expect((await get()).version).toBe(1 + createdCount)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409 })
    }
  })
})

describe('agent optimizations', () => {
  it('are listed by key in pages', async () => {
    await create({ ...full, key: 'b' })
    await create({ ...full, key: 'a' })
    const page = await account.api.listAgentOptimizations({ projectKey, limit: 2 }, { as: account.as })
    expect(page.items.map(({ key }) => key)).toEqual(['a', 'b'])
    expect(page).toMatchObject({ totalCount: 3, _links: { next: { href: `${base}?limit=2&offset=2` } } })
  })

  it('are deleted with their runs', async () => {
    await account.post(1)
    expect((await account.send('DELETE', '/tone')).status).toBe(204)
    await expect(get()).rejects.toMatchObject({ status: 404 })
    await create({ ...full, key: 'tone' })
    expect(await account.latest()).toMatchObject({ items: [], totalCount: 0 })
    expect(await account.all()).toMatchObject({ items: [], totalCount: 0 })
    await expect(account.resultsOf(1)).rejects.toMatchObject({ status: 404 })
  })

  it('are visible only to callers who may view the project', async () => {
    const otherProjectViewer: As = { policy: [allow(['viewProject'], ['proj/other'])] }
    expect(await get('tone', editor('createAgentOptimization'))).toMatchObject({ key: 'tone' })
    await expect(get('tone', otherProjectViewer)).rejects.toMatchObject({ status: 403 })
    await expect(account.api.listAgentOptimizations({ projectKey }, { as: otherProjectViewer })).rejects.toMatchObject({
      status: 403,
    })
  })

  it('require the matching action for each change', async () => {
    const denied = { status: 403, code: 'forbidden' }
    await expect(create(full, editor('updateAgentOptimization'))).rejects.toMatchObject(denied)
    await expect(create(full, editor('createAgentOptimization'))).resolves.toMatchObject({ key: 'full' })
    await expect(change({ maxAttempts: 2 }, editor('createAgentOptimization'))).rejects.toMatchObject(denied)
    await expect(change({ maxAttempts: 2 }, editor('updateAgentOptimization'))).resolves.toMatchObject({ version: 2 })
    const callerWithoutView: As = { policy: [allow(['updateAgentOptimization'], ['proj/web:agent-optimization/*'])] }
    await expect(change({ maxAttempts: 3 }, callerWithoutView)).rejects.toMatchObject(denied)
    const remove = (as: As) => account.api.deleteAgentOptimization(keys, { as })
    await expect(remove(editor('updateAgentOptimization'))).rejects.toMatchObject(denied)
    await expect(remove(editor('deleteAgentOptimization'))).resolves.toBeUndefined()
  })

  it('report the actions that the caller may do', async () => {
    const { _access } = await get('tone', editor('updateAgentOptimization'))
    expect(_access?.allowed.map(({ action }) => action)).toEqual(['updateAgentOptimization'])
    expect(_access?.denied.map(({ action }) => action).sort()).toEqual([
      'createAgentOptimization',
      'createAgentOptimizationResult',
      'deleteAgentOptimization',
      'deleteAgentOptimizationRun',
      'updateAgentOptimizationResult',
    ])
  })
})
