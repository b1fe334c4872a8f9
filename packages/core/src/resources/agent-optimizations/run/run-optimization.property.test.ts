import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ModelCall, ModelProvider, OptimizationOutcome, RunCosts } from '../../../index.ts'
import { better, optimizedAgent, score } from '../test/optimized-agent.ts'

const runs = process.env.HALYARD_LONG_TESTS ? 300 : 30

const threshold = fc.constantFrom(0, 0.3, 0.7, 1)

const scenarios = fc.record({
  seed: fc.string(),
  optimization: fc.record({
    maxAttempts: fc.integer({ min: 1, max: 4 }),
    acceptanceStatements: fc.array(fc.record({ statement: fc.constant('It greets.'), threshold }), {
      minLength: 1,
      maxLength: 2,
    }),
    judges: fc.array(fc.record({ key: fc.constant('polite'), threshold }), { maxLength: 1 }),
    userInputOptions: fc.uniqueArray(fc.constantFrom('Hi', 'Bye', 'Well'), { maxLength: 3 }),
    variableChoices: fc.constantFrom([], [{ who: 'Ann' }, { who: 'Bob' }]),
    modelChoices: fc.constantFrom([], ['small', 'large']),
    tokenLimit: fc.constantFrom(undefined, undefined, undefined, 60),
    autoCommit: fc.boolean(),
  }),
  limits: fc.oneof(
    fc.constant<Partial<RunCosts>>({}),
    fc.record<Partial<RunCosts>>(
      {
        tokens: fc.integer({ min: 1, max: 150 }),
        cost: fc.integer({ min: 1, max: 40 }),
        ms: fc.integer({ min: 100_000, max: 2_000_000 }),
      },
      { requiredKeys: [] },
    ),
  ),
  /** Fraction of the calls that fail or have a reply of another form. */
  failures: fc.constantFrom(0, 0, 0.1),
})

type Scenario = typeof scenarios extends fc.Arbitrary<infer Value> ? Value : never

/** Returns a number from 0 to 1 that depends on nothing but the texts. */
function fraction(...texts: readonly string[]): number {
  return createHash('sha256').update(texts.join('\n')).digest().readUInt32BE() / 2 ** 32
}

const scores = [0, 0.3, 0.5, 0.7, 1, 1]

/**
 * Returns a provider whose replies depend only on the call, and which does not exceed the remaining limits of the run.
 */
function deterministicProvider({ seed, failures, optimization }: Scenario, pass: (ms: number) => void): ModelProvider {
  return async ({ purpose, model, messages, attempt, remaining }) => {
    const draw = (part: string) => fraction(seed, part, purpose, model, String(attempt), JSON.stringify(messages))
    const amount = (part: keyof RunCosts, max: number) =>
      Math.min(1 + Math.floor(draw(part) * max), remaining[part] ?? Number.POSITIVE_INFINITY)
    pass(amount('ms', 100_000))
    if (draw('throws') < failures) throw new Error('the model is overloaded')
    const model2 = optimization.modelChoices[Math.floor(draw('model') * 3)]
    const texts = {
      generate: `response ${draw('text')}`,
      judge: score(scores[Math.floor(draw('score') * scores.length)] ?? 0),
      vary: better(`instructions ${draw('text')}`, model2 === undefined ? {} : { model: model2 }),
    }
    const text = draw('nonsense') < failures ? 'Certainly!' : texts[purpose]
    return { text, tokens: amount('tokens', 20), cost: amount('cost', 5) }
  }
}

const activities: Readonly<Record<ModelCall['purpose'], readonly string[]>> = {
  generate: ['GENERATING', 'VALIDATING'],
  judge: ['EVALUATING', 'VALIDATING'],
  vary: ['GENERATING_VARIATION'],
}

/** Runs a scenario, and interrupts it once at each of these calls. */
async function perform(scenario: Scenario, interruptedCalls: readonly number[]) {
  const { tokenLimit, ...optimization } = scenario.optimization
  const agent = await optimizedAgent(tokenLimit === undefined ? optimization : { ...optimization, tokenLimit })
  const provider = deterministicProvider(scenario, agent.pass)
  const answered: string[] = []
  const seen: object[] = []
  const interruptions = new Set(interruptedCalls)
  async function attemptRun(): Promise<OptimizationOutcome> {
    const controller = new AbortController()
    const model: ModelProvider = async (call) => {
      const { status, iteration, activity = '' } = (await agent.latest()) ?? {}
      // Checks are recorded instead of failing here, because an error of the provider would become part of the run.
      seen.push({
        isRunning: status === 'RUNNING' && iteration === call.attempt,
        isActive: activities[call.purpose].includes(activity),
        isWithinLimits: Object.values(call.remaining).every((amount) => amount > 0),
      })
      if (interruptions.delete(answered.length)) {
        controller.abort(new Error('interrupted'))
        throw controller.signal.reason
      }
      answered.push(`${call.purpose} ${call.attempt} ${JSON.stringify(call.messages)}`)
      return provider(call)
    }
    try {
      return await agent.run(model, { limits: scenario.limits, signal: controller.signal })
    } catch (error) {
      if (!controller.signal.aborted) throw error
      return attemptRun()
    }
  }
  const { error: _, ...outcome } = await attemptRun()
  const expected = { isRunning: true, isActive: true, isWithinLimits: true }
  for (const observation of seen) expect(observation).toEqual(expected)
  const interruptionCount = interruptedCalls.length - interruptions.size
  const results = (await agent.results()).map(
    ({ id: _id, createdAt, updatedAt, completedAt, _links, _access, agentOptimizationId, ...result }) => result,
  )
  const { variations } = await agent.api.getAIConfig({ projectKey: 'web', configKey: 'support' }, { as: agent.as })
  return {
    interruptionCount,
    outcome,
    results,
    answered,
    variations: variations.map(({ key, instructions }) => ({ key, instructions })),
  }
}

type PerformedRun = Awaited<ReturnType<typeof perform>>

function expectStateMachine({ results, outcome }: PerformedRun, { optimization, limits }: Scenario): void {
  expect(results.map(({ iteration }) => iteration)).toEqual(results.map((_, index) => index + 1))
  expect(results.length).toBeLessThanOrEqual(optimization.maxAttempts)
  for (const [index, { status, activity, reason, variation }] of results.entries()) {
    expect(activity).toBe('COMPLETED')
    if (index === results.length - 1)
      expect({ status, reason }).toEqual({ status: outcome.status, reason: outcome.reason })
    else expect([status, reason, typeof variation]).toEqual(['FAILED', undefined, 'object'])
  }
  const next = results.slice(0, -1).map(({ variation }) => variation?.instructions)
  expect(results.slice(1).map(({ instructions }) => instructions)).toEqual(next)
  const { tokenLimit = Number.POSITIVE_INFINITY } = optimization
  const { tokens = tokenLimit, cost = Number.POSITIVE_INFINITY, ms = Number.POSITIVE_INFINITY } = limits
  expect(outcome.spent.tokens).toBeLessThanOrEqual(Math.min(tokens, tokenLimit))
  expect(outcome.spent.cost).toBeLessThanOrEqual(cost)
  expect(outcome.spent.ms).toBeLessThanOrEqual(ms)
  expectJudged(results.at(-1), outcome, optimization)
}

/** A result passed if all its responses, one for each user input, reach all thresholds. */
function expectJudged(
  last: PerformedRun['results'][number] | undefined,
  { status }: PerformedRun['outcome'],
  { userInputOptions, acceptanceStatements, judges }: Scenario['optimization'],
): void {
  interface JudgedResponse {
    readonly judgments: readonly { readonly score: number; readonly threshold: number }[]
  }
  const { judgments = [], validation = [] } = (last?.scores ?? {}) as Partial<
    JudgedResponse & { readonly validation: readonly JudgedResponse[] }
  >
  const samples = [judgments, ...validation.map((sample) => sample.judgments)]
  const expected = Math.max(1, userInputOptions.length) * (acceptanceStatements.length + judges.length)
  const reached = samples.flat().filter((judgment) => judgment.score >= judgment.threshold)
  expect(status === 'PASSED').toBe(reached.length === expected)
}

it('a run stores its results in the order of its states and within its limits, and an interrupted run ends like an uninterrupted one', async () => {
  const statuses = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      scenarios,
      fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 3 }),
      async (scenario, interruptedCalls) => {
        const whole = await perform(scenario, [])
        expectStateMachine(whole, scenario)
        statuses.add(whole.outcome.status)
        const interrupted = await perform(scenario, interruptedCalls)
        const expectedCount = interruptedCalls.filter((call) => call < whole.answered.length).length
        expect(interrupted).toEqual({ ...whole, interruptionCount: expectedCount })
      },
    ),
    { numRuns: runs },
  )
  expect([...statuses].sort()).toEqual(['ERRORED', 'FAILED', 'PASSED'])
}, 120_000)
