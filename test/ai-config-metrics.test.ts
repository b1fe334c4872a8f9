import type { IncomingMessage, RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { createEngine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { createMemoryStorage } from '@halyard/storage-memory'
import { createExpressSdk } from '@halyard/transport-express'
import type { LDClient } from '@launchdarkly/node-server-sdk'
import { initAi, type LDAIConfigTracker, LDFeedbackKind } from '@launchdarkly/server-sdk-ai'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { postgresStorages } from './setup/postgres-storages.ts'
import { createSdkFixture, environmentKeys, listen, readyClient } from './setup/sdk-fixture.ts'

const storages = postgresStorages()
afterAll(() => storages.dispose())

/** Opens a storage twice: once for the test, and once as another process would open it. */
const open: Readonly<Record<string, () => Promise<readonly [Storage, () => Promise<Storage>]>>> = {
  memory: async () => {
    const storage = { ...createMemoryStorage(), close: async () => {} }
    return [storage, async () => storage]
  },
  Postgres: async () => {
    const storage = await storages.open()
    return [storage, () => storages.openSecond(storage)]
  },
}

const { projectKey } = environmentKeys
const models = { small: { input: 0.25, output: 0.5 }, large: { input: 2, output: 4 } }
const variations = { calm: 'small', eager: 'large', plain: undefined } as const
type VariationKey = keyof typeof variations
const variationKeys = Object.keys(variations) as VariationKey[]

type Fixture = Awaited<ReturnType<typeof createSdkFixture>>

/**
 * Creates two model configs and the AI configs `assistant` and `other`, whose users get the variation that they want.
 */
async function createConfigs({ api, as }: Fixture) {
  for (const [key, { input, output }] of Object.entries(models)) {
    const body = { key, name: key, id: key, costPerInputToken: input, costPerOutputToken: output }
    await api.createModelConfig({ projectKey, body }, { as })
  }
  for (const configKey of ['assistant', 'other']) {
    await api.createAIConfig({ projectKey, body: { key: configKey, name: configKey } }, { as })
    const instructions: object[] = [{ kind: 'turnFlagOn' }]
    for (const [key, modelConfigKey] of Object.entries(variations)) {
      const body = { key, name: key, ...(modelConfigKey && { modelConfigKey }) }
      const { _id } = await api.createAIConfigVariation({ projectKey, configKey, body }, { as })
      const clauses = [{ contextKind: 'user', attribute: 'wants', op: 'in', values: [key], negate: false }]
      instructions.push({ kind: 'addRule', clauses, variationId: _id })
    }
    const body = { environmentKey: environmentKeys.environmentKey, instructions }
    await api.patchAIConfigTargeting({ projectKey, configKey, body: body as never }, { as })
  }
}

/** Returns the tracker of the variation that a user gets, as the SDK makes it. Its events go to the client. */
async function trackerOf(client: LDClient, configKey: string, variationKey: string, userKey: string) {
  const context = { kind: 'user', key: userKey, wants: variationKey }
  const { tracker } = await initAi(client).completionConfig(configKey, context, { enabled: false })
  expect(tracker?.getTrackData()).toMatchObject({ configKey, variationKey, version: 1 })
  return tracker as LDAIConfigTracker
}

/** The sums of the tracked numbers, which the test adds up itself. */
function newSums() {
  return {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    generationSuccessCount: 0,
    generationErrorCount: 0,
    thumbsUp: 0,
    thumbsDown: 0,
    durationMs: 0,
    timeToFirstTokenMs: 0,
    accuracy: [] as number[],
    tone: [] as number[],
  }
}

type Sums = ReturnType<typeof newSums>

/** A repeatable sequence of integers: a linear congruential generator. */
function integers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((state / 2 ** 31) * below)
  }
}

/** Tracks one generation with ten events, and adds them up. */
function trackGeneration(tracker: LDAIConfigTracker, sums: Sums, next: (below: number) => number): void {
  const [input, output, ms, firstMs] = [1 + next(500), 1 + next(500), next(9000), next(900)]
  const scores = { '$ld:ai:judge:accuracy': next(9) / 8, tone: next(9) / 8 }
  tracker.trackTokens({ input, output, total: input + output })
  tracker.trackDuration(ms)
  tracker.trackTimeToFirstToken(firstMs)
  const isSuccess = next(4) > 0
  if (isSuccess) tracker.trackSuccess()
  else tracker.trackError()
  const isPositive = next(3) > 0
  tracker.trackFeedback({ kind: isPositive ? LDFeedbackKind.Positive : LDFeedbackKind.Negative })
  tracker.trackEvalScores(
    Object.fromEntries(Object.entries(scores).map(([key, score]) => [key, { score, reasoning: '' }])),
  )
  tracker.trackJudgeResponse({
    judgeConfigKey: 'judge',
    success: true,
    evals: { tone: { score: scores.tone, reasoning: '' } },
  })
  sums.inputTokens += input
  sums.outputTokens += output
  sums.totalTokens += input + output
  sums.durationMs += ms
  sums.timeToFirstTokenMs += firstMs
  sums[isSuccess ? 'generationSuccessCount' : 'generationErrorCount']++
  sums[isPositive ? 'thumbsUp' : 'thumbsDown']++
  sums.accuracy.push(scores['$ld:ai:judge:accuracy'])
  sums.tone.push(scores.tone, scores.tone)
}

const average = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length

/** The response that the sums of variations should have. */
function expectedMetrics(sumsByVariation: readonly (readonly [VariationKey, Sums])[]) {
  const all = sumsByVariation.map(([, sums]) => sums)
  const total = (name: Exclude<keyof Sums, 'accuracy' | 'tone'>) => all.reduce((sum, sums) => sum + sums[name], 0)
  const priced = sumsByVariation.flatMap(([key, sums]) => {
    const modelKey = variations[key]
    return modelKey ? [{ ...sums, price: models[modelKey] }] : []
  })
  const successes = total('generationSuccessCount')
  const errors = total('generationErrorCount')
  const generations = successes + errors
  const accuracy = all.flatMap((sums) => sums.accuracy)
  const tone = all.flatMap((sums) => sums.tone)
  return {
    inputTokens: total('inputTokens'),
    outputTokens: total('outputTokens'),
    totalTokens: total('totalTokens'),
    generationCount: generations,
    generationSuccessCount: successes,
    generationErrorCount: errors,
    thumbsUp: total('thumbsUp'),
    thumbsDown: total('thumbsDown'),
    durationMs: total('durationMs'),
    averageDurationMs: Math.round(total('durationMs') / generations),
    timeToFirstTokenMs: total('timeToFirstTokenMs'),
    averageTimeToFirstTokenMs: Math.round(total('timeToFirstTokenMs') / generations),
    satisfactionRating: total('thumbsUp') / generations,
    ...(priced.length > 0 && {
      inputCost: priced.reduce((sum, { inputTokens, price }) => sum + inputTokens * price.input, 0),
      outputCost: priced.reduce((sum, { outputTokens, price }) => sum + outputTokens * price.output, 0),
    }),
    judgeAccuracy: average(accuracy),
    judgeScores: {
      '$ld:ai:judge:accuracy': { average: average(accuracy), count: accuracy.length },
      tone: { average: average(tone), count: tone.length },
    },
  }
}

/** Forwards each request to several servers, like a client that gets no response and sends its report again. */
function repeating(urls: readonly string[]): RequestListener {
  return async (req: IncomingMessage, res) => {
    const body = await buffer(req)
    const names = ['authorization', 'content-type', 'content-encoding', 'x-launchdarkly-payload-id']
    const headers = names.flatMap((name) => (req.headers[name] ? [[name, String(req.headers[name])]] : []))
    const init = { method: 'POST', headers: headers as [string, string][], body }
    const statuses = await Promise.all(urls.map(async (url) => (await fetch(`${url}${req.url}`, init)).status))
    res.writeHead(Math.max(...statuses)).end()
  }
}

describe.each(Object.keys(open))('metrics of AI configs on %s', (name) => {
  it('equal the sums of 10,000 events of the unmodified tracker, each sent to three processes, after a restart', async () => {
    const [storage, openAgain] = await (open[name] as (typeof open)[string])()
    const fixture = await createSdkFixture(storage, { sdk: { flushMs: 60_000 } })
    await createConfigs(fixture)
    const engines = [fixture.engine]
    for (let i = 0; i < 2; i++) engines.push(createEngine({ storage: await openAgain(), sdk: { flushMs: 0 } }))
    onTestFinished(() => Promise.all(engines.map((engine) => engine.close())).then(() => {}))
    const urls = await Promise.all(engines.map((engine) => listen(createExpressSdk(engine))))
    const eventsUri = await listen(repeating(urls))
    const client = await readyClient(urls[0] as string, fixture.keys.server, { eventsUri, capacity: 20_000 })

    const next = integers(7)
    const sums = new Map(variationKeys.map((key) => [key, newSums()]))
    const otherSums = newSums()
    const start = Date.now()
    for (let generation = 0; generation < 1_000; generation++) {
      const variationKey = variationKeys[next(variationKeys.length)] as VariationKey
      const isOther = next(10) === 0
      const tracker = await trackerOf(client, isOther ? 'other' : 'assistant', variationKey, `user-${next(50)}`)
      trackGeneration(tracker, isOther ? otherSums : (sums.get(variationKey) as Sums), next)
      if (generation % 100 === 99) await client.flush()
    }
    await Promise.all(engines.map((engine) => engine.sdk.flush()))

    await using restarted = createEngine({ storage: await openAgain() })
    const { as } = fixture
    const query = { projectKey, from: start, to: Date.now() + 1, env: 'production' } as const
    const config = { ...query, configKey: 'assistant' }
    expect(await restarted.api.getAIConfigMetrics(config, { as })).toEqual(expectedMetrics([...sums]))
    expect(await restarted.api.getAIConfigMetricsByVariation(config, { as })).toEqual(
      variationKeys.map((variationKey) => ({
        variationKey,
        metrics: expectedMetrics([[variationKey, sums.get(variationKey) as Sums]]),
      })),
    )
    const other = await restarted.api.getAIConfigMetrics({ ...query, configKey: 'other' }, { as })
    expect(other.generationCount).toBe(otherSums.generationSuccessCount + otherSums.generationErrorCount)
    expect(other.generationCount).toBeGreaterThan(0)
    expect(await restarted.api.getAIConfigQuickStats({ projectKey, env: 'production' }, { as })).toMatchObject({
      activeConfigs: 2,
    })
  })
})
