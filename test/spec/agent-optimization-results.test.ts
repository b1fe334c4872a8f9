import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import {
  access,
  envelope,
  expectShape,
  integer,
  links,
  number,
  object,
  objectOf,
  oneOf,
  optional,
  string,
  uuid,
} from './response-shape.ts'
import { describeCommonRules } from './rules-of-every-operation.ts'
import {
  engineWith,
  invalid,
  refusals,
  type SpecOperation,
  senderOf,
  successBody,
  type Transport,
  transports,
} from './spec-operation.ts'

const listResults = {
  id: 'listAgentOptimizationResults',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/results',
  success: 200,
} as const satisfies SpecOperation

const commonFields = {
  id: uuid,
  runId: uuid,
  agentOptimizationId: uuid,
  agentOptimizationVersion: integer,
  iteration: integer,
  instructions: string,
  userInput: string,
  parameters: object,
  status: oneOf('RUNNING', 'PASSED', 'FAILED', 'ERRORED'),
  activity: oneOf('PENDING', 'GENERATING', 'EVALUATING', 'GENERATING_VARIATION', 'VALIDATING', 'COMPLETED'),
  createdAt: integer,
  updatedAt: integer,
  _links: links('parent', 'self'),
  _access: access,
}

/** Fields that exist only after the model has responded. */
const finishedFields = {
  completionResponse: string,
  scores: object,
  variation: object,
  createdVariationKey: string,
  generationTokens: object,
  generationLatency: number,
  evaluationTokens: object,
  evaluationLatencies: object,
  completedAt: integer,
}

const result = objectOf({
  ...commonFields,
  ...Object.fromEntries(Object.entries(finishedFields).map(([name, shape]) => [name, optional(shape)])),
})

const params = { projectKey: 'web', optimizationKey: 'tone' }
const runIdOf = (n: number) => `4d6f9a52-0b1e-4c3a-9a57-3f2c8f0e6b1${n}`

const outcome = {
  completionResponse: 'On its way.',
  scores: { accuracy: 0.9 },
  variation: { model: 'large' },
  createdVariationKey: 'warm',
  generationTokens: { input: 10, output: 5 },
  generationLatency: 812.5,
  evaluationTokens: { input: 20 },
  evaluationLatencies: { accuracy: 300 },
}

/** Creates three runs of one optimization: the first has two results, of which the newer has passed. */
async function threeRuns({ api, admin, given, advance }: TestEngine) {
  const as = { as: admin }
  const project = { projectKey: 'web' }
  await given.project('web')
  await api.createAIConfig({ ...project, body: { key: 'support', name: 'Support', mode: 'agent' } }, as)
  const settings = { key: 'tone', aiConfigKey: 'support', maxAttempts: 5, judgeModel: 'judge-1' }
  const optimization = await api.createAgentOptimization({ ...project, body: settings }, as)
  const add = async (runId: string, iteration: number) => {
    advance(1000)
    const prompt = { instructions: 'Answer in one sentence.', userInput: 'Where is my order?' }
    const body = { runId, agentOptimizationVersion: 1, iteration, ...prompt, parameters: { temperature: 0.2 } }
    return api.createAgentOptimizationResult({ ...params, body }, as)
  }
  await add(runIdOf(1), 1)
  const passed = await add(runIdOf(1), 2)
  await add(runIdOf(2), 1)
  await add(runIdOf(3), 1)
  advance(1000)
  const body = { status: 'PASSED', activity: 'COMPLETED', ...outcome } as const
  await api.patchAgentOptimizationResult({ ...params, resultId: passed.id, body }, as)
  return { request: { params }, fixture: { optimization, passed } }
}

describeCommonRules(listResults, threeRuns)

async function listResultsOf(transport: Transport, query: Record<string, string> = {}, input = {}) {
  const { engine, fixture } = await engineWith(threeRuns, input)
  const response = await successBody(senderOf(engine, listResults, transport)({ params, query }), listResults)
  return { engine, more: fixture, response, runs: response.items.map(({ runId }: { runId: string }) => runId) }
}

describe.each(transports)('listAgentOptimizationResults %s', (transport) => {
  it('returns an envelope of results that have every field of docs/specification.md', async () => {
    const { response } = await listResultsOf(transport)
    expectShape(response, envelope(result))
    expect(response).toMatchObject({
      totalCount: 3,
      _links: { self: { href: '/api/v2/projects/web/agent-optimizations/tone/results', type: 'application/json' } },
    })
  })

  it('returns the newest result of each run, the newest run first', async () => {
    const { response, runs, more: fixture } = await listResultsOf(transport)
    expect(runs).toEqual([runIdOf(3), runIdOf(2), runIdOf(1)])
    expect(response.items[2]).toMatchObject({ id: fixture.passed.id, iteration: 2 })
  })

  it('a new result is running and has no output', async () => {
    const { engine, response, more: fixture } = await listResultsOf(transport)
    const [newest] = response.items
    expectShape(newest, objectOf(commonFields))
    expect(newest).toMatchObject({
      runId: runIdOf(3),
      agentOptimizationId: fixture.optimization.id,
      agentOptimizationVersion: 1,
      iteration: 1,
      instructions: 'Answer in one sentence.',
      userInput: 'Where is my order?',
      parameters: { temperature: 0.2 },
      status: 'RUNNING',
      activity: 'PENDING',
      createdAt: engine.now() - 1000,
      updatedAt: engine.now() - 1000,
      _links: {
        parent: { href: '/api/v2/projects/web/agent-optimizations/tone', type: 'application/json' },
        self: {
          href: `/api/v2/projects/web/agent-optimizations/tone/results/${newest?.id}`,
          type: 'application/json',
        },
      },
    })
  })

  it('a passed result has all output fields, and its times are integers with either timestamp setting', async () => {
    for (const timestamps of ['string', 'number'] as const) {
      const { engine, response } = await listResultsOf(transport, {}, { wire: { timestamps } })
      const passed = response.items[2]
      expectShape(passed, objectOf({ ...commonFields, ...finishedFields }))
      expect(passed).toMatchObject({
        ...outcome,
        status: 'PASSED',
        activity: 'COMPLETED',
        updatedAt: engine.now(),
        completedAt: engine.now(),
      })
    }
  })

  it('returns `limit` results from `offset` on, with links to all other pages', async () => {
    const { response, runs } = await listResultsOf(transport, { limit: '1', offset: '1' })
    expect(runs).toEqual([runIdOf(2)])
    const pageLink = (offset: number) => ({
      href: `/api/v2/projects/web/agent-optimizations/tone/results?limit=1&offset=${offset}`,
      type: 'application/json',
    })
    expect(response._links).toEqual({
      self: pageLink(1),
      first: pageLink(0),
      prev: pageLink(0),
      next: pageLink(2),
      last: pageLink(2),
    })
    expect(response.totalCount).toBe(3)
  })

  it('requires a limit from 1 to 100', async () => {
    const { engine } = await engineWith(threeRuns)
    const send = senderOf(engine, listResults, transport)
    expect(await send({ params, query: { limit: '0' } })).toEqual(invalid(['limit', 'must be at least 1']))
    expect(await send({ params, query: { limit: '101' } })).toEqual(invalid(['limit', 'must be at most 100']))
    expect(await send({ params, query: { offset: 'x' } })).toEqual(invalid(['offset', 'must be an integer']))
    const all = await successBody(send({ params, query: { limit: '100' } }), listResults)
    expect(all.items).toHaveLength(3)
  })

  it.each([{ projectKey: 'none' }, { optimizationKey: 'none' }])('responds with 404 for %o', async (otherParams) => {
    const { engine } = await engineWith(threeRuns)
    const outcome = await senderOf(engine, listResults, transport)({ params: { ...params, ...otherParams } })
    expect(outcome).toEqual(refusals.not_found)
  })

  it('is forbidden for a caller without the right to view the project', async () => {
    const { engine, request } = await engineWith(threeRuns)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['proj/shop'], actions: ['viewProject'] }],
    })
    expect(await senderOf(engine, listResults, transport)({ ...request, as: token })).toEqual(refusals.forbidden)
  })
})
