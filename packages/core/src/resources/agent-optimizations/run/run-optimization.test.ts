import { describe, expect, it } from 'vitest'
import type { As, ModelCall } from '../../../index.ts'
import { failureOf } from '../../account/test/calls.ts'
import { allow, better, keys, optimizedAgent, projectKey, runId, score, scripted } from '../test/optimized-agent.ts'

/** A provider whose agent satisfies the judges once its instructions have been changed. */
const improving = scripted({
  generate: ({ messages }) => (messages[0]?.content.startsWith('Greet') ? 'Hello' : 'What?'),
  judge: ({ messages }) => score(messages.at(-1)?.content.includes('Hello') ? 1 : 0.2),
  vary: better('Greet {{who}}.'),
})

describe('a run of an agent optimization', () => {
  it('varies the instructions until all thresholds are reached', async () => {
    const { run, results } = await optimizedAgent({
      userInputOptions: ['Hi', 'Bye'],
      variableChoices: [{ who: 'Ann' }],
    })
    const calls: ModelCall[] = []
    const outcome = await run((call) => {
      calls.push(call)
      return improving(call)
    })
    expect(outcome).toEqual({
      runId,
      status: 'PASSED',
      attempts: 2,
      instructions: 'Greet {{who}}.',
      model: 'small',
      spent: { tokens: 70, cost: 3.5, ms: 0 },
    })
    expect(calls.map(({ purpose, attempt }) => `${purpose} ${attempt}`)).toEqual([
      'generate 1',
      'judge 1',
      'vary 1',
      'generate 2',
      'judge 2',
      'generate 2',
      'judge 2',
    ])
    expect(calls[0]?.messages[0]?.content).toBe('Help Ann.')
    const [first, second] = await results()
    expect(first).toMatchObject({
      status: 'FAILED',
      activity: 'COMPLETED',
      instructions: 'Help {{who}}.',
      completionResponse: 'What?',
      scores: {
        judgments: [
          { criterion: 'acceptance statement 1', score: 0.2, threshold: 0.5, passed: false, reason: 'because 0.2' },
        ],
      },
      variation: { instructions: 'Greet {{who}}.', model: 'small', tokens: 10 },
      parameters: { model: 'small', variables: { who: 'Ann' } },
      generationTokens: { total: 10, cost: 0.5 },
    })
    expect(second).toMatchObject({ status: 'PASSED', activity: 'COMPLETED', completedAt: expect.any(Number) })
    expect(second?.scores).toMatchObject({ validation: [{ userInput: second?.userInput === 'Hi' ? 'Bye' : 'Hi' }] })
  })

  it('fails when no attempt reaches the thresholds', async () => {
    const { run, results } = await optimizedAgent({ maxAttempts: 2 })
    const outcome = await run(scripted({ generate: 'x', judge: score(0.49), vary: better('Again') }))
    const reason = 'No response reached all thresholds in 2 attempts'
    expect(outcome).toMatchObject({ status: 'FAILED', reason, attempts: 2 })
    expect((await results()).map((result) => [result.status, result.reason])).toEqual([
      ['FAILED', undefined],
      ['FAILED', reason],
    ])
  })

  it('varies the instructions when another user input fails', async () => {
    const { run } = await optimizedAgent({ userInputOptions: ['Hi', 'Bye', 'Well'], maxAttempts: 2 })
    const failing = (call: ModelCall) =>
      score(call.attempt === 1 && call.messages.at(-1)?.content.includes('Well') ? 0 : 1)
    const outcome = await run(scripted({ generate: 'x', judge: failing, vary: better('Again') }))
    expect(outcome).toMatchObject({ status: 'PASSED', attempts: 2, instructions: 'Again' })
  })

  it('calls judges that are AI configs, and treats lower scores as better when the config is inverted', async () => {
    const { run, results, api, as } = await optimizedAgent({
      acceptanceStatements: [],
      judges: [{ key: 'polite', threshold: 0.3 }],
      maxAttempts: 1,
      groundTruthResponses: ['Good morning'],
      userInputOptions: ['Hi'],
    })
    await api.patchAIConfig({ projectKey, configKey: 'polite', body: { isInverted: true } }, { as })
    const judged: ModelCall[] = []
    const outcome = await run(
      scripted({
        generate: 'x',
        judge: (call) => {
          judged.push(call)
          return score(0.2)
        },
        vary: '',
      }),
    )
    expect(outcome.status).toBe('PASSED')
    expect(judged[0]).toMatchObject({
      model: 'judge-1',
      messages: [{ role: 'system', content: 'Is the agent polite?' }, {}, {}],
    })
    expect(judged[0]?.messages.at(-1)?.content).toContain('Expected response:\nGood morning')
    expect((await results())[0]?.scores).toMatchObject({ judgments: [{ criterion: 'judge polite', passed: true }] })
  })

  it('shows each step in the latest result while the run goes on', async () => {
    const { run, latest } = await optimizedAgent()
    const seen: string[] = []
    await run(async (call) => {
      const { status, activity, iteration } = (await latest()) ?? {}
      seen.push(`${iteration} ${status} ${activity}`)
      return improving(call)
    })
    expect(seen).toEqual([
      '1 RUNNING GENERATING',
      '1 RUNNING EVALUATING',
      '1 RUNNING GENERATING_VARIATION',
      '2 RUNNING GENERATING',
      '2 RUNNING EVALUATING',
    ])
  })
})

describe('a model provider', () => {
  it('that throws ends the run, and its message is not stored', async () => {
    const { run, results } = await optimizedAgent()
    const error = new Error('POST https://models.example.com?key=secret failed')
    const outcome = await run(() => {
      throw error
    })
    const reason = 'The model provider failed: response of attempt 1'
    expect(outcome).toMatchObject({ status: 'ERRORED', reason, error })
    expect(await results()).toMatchObject([{ status: 'ERRORED', activity: 'COMPLETED', reason }])
    expect(JSON.stringify(await results())).not.toContain('secret')
  })

  it.each([
    ['no JSON', 'Certainly! {"score": 1}'],
    ['a score that is too high', '{"score": 1.1}'],
    ['a score that is a text', '{"score": "1"}'],
    ['another property', '{"score": 1, "verdict": "good"}'],
  ])('whose judge replies with %s ends the run', async (_, judge) => {
    const { run, results } = await optimizedAgent()
    const outcome = await run(scripted({ generate: 'x', judge, vary: better('y') }))
    const reason = 'The reply of acceptance statement 1 must be a JSON object with a score from 0 to 1'
    expect(outcome).toMatchObject({ status: 'ERRORED', reason, spent: { tokens: 20 } })
    expect(await results()).toMatchObject([{ status: 'ERRORED', reason, evaluationTokens: { total: 10 } }])
  })

  it.each([
    ['no instructions', '{}'],
    ['an unknown model', better('y', { model: 'huge' })],
  ])('that varies the instructions with %s ends the run', async (_, vary) => {
    const { run } = await optimizedAgent({ modelChoices: ['small', 'large'] })
    const outcome = await run(scripted({ generate: 'x', judge: score(0), vary }))
    expect(outcome).toMatchObject({ status: 'ERRORED', reason: expect.stringContaining('small, large') })
  })

  it.each([
    ['text', { tokens: 1 }],
    ['tokens', { text: 'x', tokens: -1 }],
    ['tokens', { text: 'x', tokens: Number.NaN }],
    ['cost', { text: 'x', tokens: 1 }],
  ])('whose reply has an invalid %s ends the run', async (property, reply) => {
    const { run } = await optimizedAgent()
    const outcome = await run(async () => reply as never, { limits: { cost: 5 } })
    expect(outcome).toMatchObject({ status: 'ERRORED', reason: expect.stringContaining(property) })
  })
})

describe('the limits of a run', () => {
  it.each([
    ['tokens', { tokens: 20 }, 'The run reached its limit of 20 tokens'],
    ['costs', { cost: 1 }, 'The run reached its limit of 1 costs'],
    ['time', { ms: 2_000 }, 'The run reached its limit of 2000 ms'],
  ])('of %s end it before the next call', async (_, limits, reason) => {
    const { run, results, pass } = await optimizedAgent()
    const outcome = await run(
      (call) => {
        pass(1_000)
        return improving(call)
      },
      { limits },
    )
    expect(outcome).toMatchObject({ status: 'FAILED', reason, attempts: 1 })
    expect(await results()).toMatchObject([{ status: 'FAILED', reason, activity: 'COMPLETED' }])
  })

  it('include the limit of the optimization, and the provider receives the remaining amounts', async () => {
    const { run } = await optimizedAgent({ tokenLimit: 15 })
    const remaining: unknown[] = []
    const outcome = await run(
      (call) => {
        remaining.push(call.remaining)
        return improving(call)
      },
      { limits: { tokens: 100 } },
    )
    expect(remaining).toEqual([{ tokens: 15 }, { tokens: 5 }])
    expect(outcome).toMatchObject({ status: 'FAILED', reason: 'The run reached its limit of 15 tokens' })
  })

  it('abort a call when the time is over', async () => {
    const { run } = await optimizedAgent()
    const outcome = await run(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      { limits: { ms: 5 } },
    )
    expect(outcome).toMatchObject({ status: 'FAILED', reason: 'The run reached its limit of 5 ms' })
  })

  it('must be greater than 0', async () => {
    const { run } = await optimizedAgent()
    expect(await failureOf(run(improving, { limits: { tokens: 0, ms: Number.NaN } }))).toMatchObject({
      errors: [{ attribute: 'limits.tokens' }, { attribute: 'limits.ms' }],
    })
    expect(await failureOf(run('x' as never))).toMatchObject({ errors: [{ attribute: 'model' }] })
  })
})

describe('a run that is started again', () => {
  it('returns the stored outcome when it has ended', async () => {
    const { run } = await optimizedAgent()
    const outcome = await run(improving)
    const again = await run(() => {
      throw new Error('must not be called')
    })
    expect(again).toEqual(outcome)
  })

  it('is refused when the optimization has changed since, or another program has written its results', async () => {
    const { run, api, as } = await optimizedAgent()
    const controller = new AbortController()
    const interrupted = run(
      async (call) => {
        controller.abort(new Error('stop'))
        return improving(call)
      },
      { signal: controller.signal },
    )
    await expect(interrupted).rejects.toThrow('stop')
    await api.patchAgentOptimization({ ...keys, body: { maxAttempts: 9 } }, { as })
    expect(await failureOf(run(improving))).toMatchObject({ errors: [{ attribute: 'runId' }] })
    const other = runId.replace('9000', '9001')
    const body = { runId: other, agentOptimizationVersion: 2, iteration: 1, instructions: 'x', userInput: '' }
    await api.createAgentOptimizationResult({ ...keys, body }, { as })
    expect(await failureOf(run(improving, { runId: other }))).toMatchObject({ errors: [{ attribute: 'runId' }] })
  })
})

describe('a run that passes with other instructions', () => {
  const improved = { autoCommit: true, modelChoices: ['small', 'large'] }

  it('creates a variation of the AI config', async () => {
    const { run, api, as, results } = await optimizedAgent(improved)
    const provider = scripted({
      generate: ({ model }) => (model === 'large' ? 'Hello' : 'What?'),
      judge: ({ messages }) => score(messages.at(-1)?.content.includes('Hello') ? 1 : 0),
      vary: better('Greet.', { model: 'large' }),
    })
    const createdVariationKey = 'first-00000000'
    expect(await run(provider)).toMatchObject({ status: 'PASSED', createdVariationKey, model: 'large' })
    expect((await results()).at(-1)).toMatchObject({ createdVariationKey })
    const { variations } = await api.getAIConfig({ projectKey, configKey: 'support' }, { as })
    expect(variations[1]).toMatchObject({
      key: createdVariationKey,
      instructions: 'Greet.',
      model: { modelName: 'large' },
    })
  })

  it('reuses the variation that it created before it was interrupted', async () => {
    const { run, api, as } = await optimizedAgent(improved)
    const created = { key: 'first-00000000', name: 'First (optimized)', instructions: 'Greet {{who}}.' }
    await api.createAIConfigVariation({ projectKey, configKey: 'support', body: created }, { as })
    expect(await run(improving)).toMatchObject({ status: 'PASSED', createdVariationKey: created.key })
  })

  it('has the status PASSED and a reason when the caller may not create the variation', async () => {
    const { run } = await optimizedAgent(improved)
    const actions = ['createAgentOptimizationResult', 'updateAgentOptimizationResult']
    const caller: As = {
      policy: [allow(['viewProject'], ['proj/web']), allow(actions, ['proj/web:agent-optimization/*'])],
    }
    const outcome = await run(improving, {}, caller)
    expect(outcome).toMatchObject({ status: 'PASSED', reason: expect.stringContaining('could not be created') })
    expect(outcome.createdVariationKey).toBeUndefined()
  })

  it('creates no variation when the first instructions pass', async () => {
    const { run, api, as } = await optimizedAgent(improved)
    await run(scripted({ generate: 'x', judge: score(1), vary: '' }))
    expect((await api.getAIConfig({ projectKey, configKey: 'support' }, { as })).variations.length).toBe(1)
  })
})

describe('an optimization that cannot run', () => {
  it.each([
    ['acceptanceStatements', { acceptanceStatements: [] }, {}],
    ['judges.0.key', { judges: [{ key: 'support', threshold: 1 }] }, {}],
    ['judges.0.key', { judges: [{ key: 'none', threshold: 1 }] }, {}],
    ['variationKey', { variationKey: 'none' }, {}],
    ['variationKey', {}, { instructions: '' }],
    ['modelChoices', {}, { model: {} }],
    ['aiConfigKey', { aiConfigKey: 'polite' }, {}],
  ])('is refused with the name of the property %s', async (attribute, optimization, variation) => {
    const { run, api, as } = await optimizedAgent(optimization, variation)
    expect(await failureOf(run(improving))).toMatchObject({ code: 'invalid_request', errors: [{ attribute }] })
    expect((await api.listAgentOptimizationRuns(keys, { as })).totalCount).toBe(0)
  })

  it('is refused when it does not exist, or the caller may not write results', async () => {
    const { run } = await optimizedAgent()
    expect(await failureOf(run(improving, { optimizationKey: 'none' }))).toMatchObject({ code: 'not_found' })
    const caller: As = { policy: [allow(['viewProject'], ['proj/web'])] }
    expect(await failureOf(run(improving, {}, caller))).toMatchObject({ code: 'forbidden' })
  })
})
