import type { TestEngine } from '@halyard/testing'
import { describe, expect, it } from 'vitest'
import {
  access,
  envelope,
  expectShape,
  integer,
  links,
  members,
  number,
  object,
  oneOf,
  optional,
  string,
  uuid,
} from './answer-shape.ts'
import { describeGates } from './gates.ts'
import { answerOf, asking, type Door, doors, invalid, refusals, type SpecOperation, staged } from './spec-operation.ts'

const listResults = {
  id: 'listAgentOptimizationResults',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/agent-optimizations/{optimizationKey}/results',
  success: 200,
} as const satisfies SpecOperation

const always = {
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
const finished = {
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

const result = members({
  ...always,
  ...Object.fromEntries(Object.entries(finished).map(([name, shape]) => [name, optional(shape)])),
})

const params = { projectKey: 'web', optimizationKey: 'tone' }
const run = (n: number) => `4d6f9a52-0b1e-4c3a-9a57-3f2c8f0e6b1${n}`

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
    const asked = { instructions: 'Answer in one sentence.', userInput: 'Where is my order?' }
    const body = { runId, agentOptimizationVersion: 1, iteration, ...asked, parameters: { temperature: 0.2 } }
    return api.createAgentOptimizationResult({ ...params, body }, as)
  }
  await add(run(1), 1)
  const passed = await add(run(1), 2)
  await add(run(2), 1)
  await add(run(3), 1)
  advance(1000)
  const body = { status: 'PASSED', activity: 'COMPLETED', ...outcome } as const
  await api.patchAgentOptimizationResult({ ...params, resultId: passed.id, body }, as)
  return { question: { params }, more: { optimization, passed } }
}

describeGates(listResults, threeRuns)

async function listed(door: Door, query: Record<string, string> = {}, input = {}) {
  const { engine, more } = await staged(threeRuns, input)
  const answer = await answerOf(asking(engine, listResults, door)({ params, query }), listResults)
  return { engine, more, answer, runs: answer.items.map(({ runId }: { runId: string }) => runId) }
}

describe.each(doors)('listAgentOptimizationResults %s', (door) => {
  it('returns an envelope of results that have every field of docs/specification.md', async () => {
    const { answer } = await listed(door)
    expectShape(answer, envelope(result))
    expect(answer).toMatchObject({
      totalCount: 3,
      _links: { self: { href: '/api/v2/projects/web/agent-optimizations/tone/results', type: 'application/json' } },
    })
  })

  it('returns the newest result of each run, the newest run first (D30)', async () => {
    const { answer, runs, more } = await listed(door)
    expect(runs).toEqual([run(3), run(2), run(1)])
    expect(answer.items[2]).toMatchObject({ id: more.passed.id, iteration: 2 })
  })

  it('a new result is running and has no output', async () => {
    const { engine, answer, more } = await listed(door)
    const [made] = answer.items
    expectShape(made, members(always))
    expect(made).toMatchObject({
      runId: run(3),
      agentOptimizationId: more.optimization.id,
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
          href: `/api/v2/projects/web/agent-optimizations/tone/results/${made?.id}`,
          type: 'application/json',
        },
      },
    })
  })

  it('a passed result has all output fields, and its times are integers with either timestamp setting (D4)', async () => {
    for (const timestamps of ['string', 'number'] as const) {
      const { engine, answer } = await listed(door, {}, { wire: { timestamps } })
      const passed = answer.items[2]
      expectShape(passed, members({ ...always, ...finished }))
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
    const { answer, runs } = await listed(door, { limit: '1', offset: '1' })
    expect(runs).toEqual([run(2)])
    const at = (offset: number) => ({
      href: `/api/v2/projects/web/agent-optimizations/tone/results?limit=1&offset=${offset}`,
      type: 'application/json',
    })
    expect(answer._links).toEqual({ self: at(1), first: at(0), prev: at(0), next: at(2), last: at(2) })
    expect(answer.totalCount).toBe(3)
  })

  it('requires a limit from 1 to 100 (D9)', async () => {
    const { engine } = await staged(threeRuns)
    const ask = asking(engine, listResults, door)
    expect(await ask({ params, query: { limit: '0' } })).toEqual(invalid(['limit', 'must be at least 1']))
    expect(await ask({ params, query: { limit: '101' } })).toEqual(invalid(['limit', 'must be at most 100']))
    expect(await ask({ params, query: { offset: 'x' } })).toEqual(invalid(['offset', 'must be an integer']))
    const all = await answerOf(ask({ params, query: { limit: '100' } }), listResults)
    expect(all.items).toHaveLength(3)
  })

  it.each([{ projectKey: 'none' }, { optimizationKey: 'none' }])('is not found with %o', async (elsewhere) => {
    const { engine } = await staged(threeRuns)
    const outcome = await asking(engine, listResults, door)({ params: { ...params, ...elsewhere } })
    expect(outcome).toEqual(refusals.not_found)
  })

  it('is forbidden for a caller without the right to view the project', async () => {
    const { engine, question } = await staged(threeRuns)
    const { token } = await engine.given.token({
      inlineRole: [{ effect: 'allow', resources: ['proj/shop'], actions: ['viewProject'] }],
    })
    expect(await asking(engine, listResults, door)({ ...question, as: token })).toEqual(refusals.forbidden)
  })
})
