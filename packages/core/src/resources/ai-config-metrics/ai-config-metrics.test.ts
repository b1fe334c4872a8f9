import { createMemoryStorage } from '@halyard/storage-memory'
import { describe, expect, it } from 'vitest'
import type { AccountStorage, Storage } from '../../entries/storage.ts'
import { createEngine, type Engine } from '../../index.ts'
import { engineRequest } from '../account/test/calls.ts'
import { controlled, day, environmentKeys, hour, start } from '../flag-evaluations/test/controlled-storage.ts'

const { projectKey } = environmentKeys
const ann = { kind: 'user', key: 'ann' }

/** Wraps a storage so that a function is called before each commit of metrics. */
function observed(storage: Storage, beforeWrite: () => Promise<void>): Storage {
  const account = (name: string): AccountStorage => {
    const inner = storage.account(name)
    return {
      ...inner,
      async commit(batch) {
        if (batch.some((change) => change.do === 'insert' && change.id.collection === 'ai-metric-hour'))
          await beforeWrite()
        return inner.commit(batch)
      },
    }
  }
  return { ...storage, account }
}

/** Makes several engines on one storage, like several processes, and the config `assistant` with two variations. */
async function measuringEngines({ engines = 1, flushMs = 60_000, beforeWrite = async () => {} } = {}) {
  let now = start
  const storage = observed(controlled(createMemoryStorage()).storage, beforeWrite)
  const allEngines = Array.from({ length: engines }, () =>
    createEngine({ storage, clock: () => now, sdk: { flushMs } }),
  )
  const [engine] = allEngines as [Engine]
  const as = (await engine.bootstrap())?.token as string
  const { api } = engine
  await api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
  const price = { costPerInputToken: 0.25, costPerOutputToken: 0.5 }
  const model = { key: 'small', name: 'Small', id: 'small-1', ...price }
  await api.createModelConfig({ projectKey, body: model }, { as })
  const short = { key: 'short', name: 'Short', modelConfigKey: 'small' }
  const createConfig = (key = 'assistant') =>
    api.createAIConfig({ projectKey, body: { key, name: key, defaultVariation: short } }, { as })
  await createConfig()
  const config = { projectKey, configKey: 'assistant' }
  await api.createAIConfigVariation({ ...config, body: { key: 'long', name: 'Long' } }, { as })

  /** Tracks an event as the tracker for AI configs does. */
  function track(key: string, value: number, overrides: object = {}, by = engine) {
    const data = { configKey: 'assistant', variationKey: 'short', version: 1, modelName: 'small-1', ...overrides }
    by.track(`$ld:ai:${key}`, ann, { value, data }, environmentKeys)
  }
  async function metrics(from = start - day, to = start + day) {
    for (const each of allEngines) await each.sdk.flush()
    return api.getAIConfigMetrics({ ...config, from, to, env: 'production' }, { as })
  }
  return {
    engine,
    engines: allEngines,
    api,
    as,
    config,
    createConfig,
    track,
    metrics,
    pass: (ms: number) => (now += ms),
    async quickStats() {
      await engine.sdk.flush()
      return api.getAIConfigQuickStats({ projectKey, env: 'production' }, { as })
    },
  }
}

describe('the metrics of an AI config', () => {
  it('are the sums of its events, with rates, averages and costs', async () => {
    const { track, metrics } = await measuringEngines()
    for (const tokens of [10, 20]) {
      track('tokens:input', tokens)
      track('tokens:output', 2 * tokens)
      track('tokens:total', 3 * tokens)
      track('generation:success', 1)
    }
    track('generation:error', 1)
    for (const ms of [100.25, 201.25]) track('duration:total', ms)
    track('tokens:ttf', 40)
    for (const kind of ['positive', 'positive', 'positive', 'negative']) track(`feedback:user:${kind}`, 1)
    for (const score of [0.5, 1]) track('judge:accuracy', score, { judgeConfigKey: 'judge' })
    expect(await metrics()).toEqual({
      inputTokens: 30,
      outputTokens: 60,
      totalTokens: 90,
      generationCount: 3,
      generationSuccessCount: 2,
      generationErrorCount: 1,
      thumbsUp: 3,
      thumbsDown: 1,
      durationMs: 302,
      averageDurationMs: 151,
      timeToFirstTokenMs: 40,
      averageTimeToFirstTokenMs: 40,
      satisfactionRating: 0.75,
      inputCost: 7.5,
      outputCost: 30,
      judgeAccuracy: 0.75,
      judgeScores: { '$ld:ai:judge:accuracy': { average: 0.75, count: 2 } },
    })
  })

  it('are listed separately for each variation', async () => {
    const { api, as, config, engine, track } = await measuringEngines()
    track('generation:success', 1)
    track('generation:success', 1, { variationKey: 'long' })
    track('generation:success', 1, { variationKey: 'long' })
    await engine.sdk.flush()
    const query = { from: start, to: start + hour, env: 'production' }
    const parts = await api.getAIConfigMetricsByVariation({ ...config, ...query }, { as })
    expect(parts.map(({ variationKey, metrics }) => [variationKey, metrics.generationCount])).toEqual([
      ['long', 2],
      ['short', 1],
    ])
  })

  it('have the price of the model that the measured version of the variation names', async () => {
    const { api, as, config, track, metrics } = await measuringEngines()
    const body = { key: 'large', name: 'Large', id: 'large-1', costPerInputToken: 10 }
    await api.createModelConfig({ projectKey, body }, { as })
    const keys = { ...config, variationKey: 'short' }
    await api.patchAIConfigVariation({ ...keys, body: { modelConfigKey: 'large' } }, { as })
    track('tokens:input', 4, { version: 1 })
    track('tokens:input', 3, { version: 2 })
    expect(await metrics()).toMatchObject({ inputTokens: 7, inputCost: 4 * 0.25 + 3 * 10, outputCost: 0 })
    // A version that does not exist has the price of the newest one.
    track('tokens:input', 5, { version: 9 })
    expect(await metrics()).toMatchObject({ inputTokens: 12, inputCost: 4 * 0.25 + 8 * 10 })
  })

  it('have the newest price for a version that did not exist when the event arrived', async () => {
    const { api, as, config, engine, track, metrics } = await measuringEngines()
    track('tokens:input', 4, { version: 2 })
    await engine.sdk.flush()
    const body = { key: 'large', name: 'Large', id: 'large-1', costPerInputToken: 10 }
    await api.createModelConfig({ projectKey, body }, { as })
    const keys = { ...config, variationKey: 'short' }
    await api.patchAIConfigVariation({ ...keys, body: { name: 'Shorter' } }, { as })
    await api.patchAIConfigVariation({ ...keys, body: { modelConfigKey: 'large' } }, { as })
    expect(await metrics()).toMatchObject({ inputTokens: 4, inputCost: 40 })
  })

  it('have no cost without a price, and no rate without feedback', async () => {
    const { track, metrics } = await measuringEngines()
    track('tokens:input', 4, { variationKey: 'long' })
    expect(await metrics()).toEqual({
      inputTokens: 4,
      outputTokens: 0,
      totalTokens: 0,
      generationCount: 0,
      generationSuccessCount: 0,
      generationErrorCount: 0,
      thumbsUp: 0,
      thumbsDown: 0,
      durationMs: 0,
      timeToFirstTokenMs: 0,
      judgeScores: {},
    })
  })

  it('omit events of unknown configs, variations and senders', async () => {
    const { engine, api, as, track, metrics } = await measuringEngines()
    track('generation:success', 1, { configKey: 'other' })
    track('generation:success', 1, { variationKey: 'other' })
    track('generation:success', 1, { variationKey: '' })
    const { _id, mobileKey } = await api.getEnvironment(environmentKeys, { as })
    const data = { configKey: 'assistant', variationKey: 'short', version: 1 }
    const event = { kind: 'custom', key: '$ld:ai:generation:success', metricValue: 1, data, userKey: 'ann' }
    for (const path of [`/events/bulk/${_id}`, '/mobile/events/bulk']) {
      const response = await engine.sdk.handle(engineRequest('POST', path, [event], { authorization: mobileKey }))
      expect(response?.status).toBe(202)
    }
    expect(await metrics()).toMatchObject({ generationCount: 0, judgeScores: {} })
  })

  it('include every hour that the range overlaps', async () => {
    const { track, metrics, pass } = await measuringEngines()
    track('generation:success', 1)
    pass(hour)
    track('generation:error', 1)
    expect(await metrics(start, start + hour)).toMatchObject({ generationSuccessCount: 1, generationErrorCount: 1 })
    expect(await metrics(start - hour, start - 30 * 60_000)).toMatchObject({ generationCount: 0 })
    expect(await metrics(start + hour - 30 * 60_000, start + hour)).toMatchObject({
      generationSuccessCount: 0,
      generationErrorCount: 1,
    })
  })

  it('belong to one environment', async () => {
    const { api, as, config, engine, track } = await measuringEngines()
    track('generation:success', 1)
    await engine.sdk.flush()
    const query = { from: start, to: start + hour, env: 'test' }
    expect(await api.getAIConfigMetrics({ ...config, ...query }, { as })).toMatchObject({ generationCount: 0 })
  })

  it('are counted by several engines on one storage at the same time', async () => {
    const { engines, track, metrics } = await measuringEngines({ engines: 3 })
    for (const engine of engines) for (let i = 1; i <= 20; i++) track('tokens:input', i, {}, engine)
    await Promise.all(engines.map((engine) => engine.sdk.flush()))
    expect(await metrics()).toMatchObject({ inputTokens: 3 * 210 })
  })

  it('are deleted after a hundred days', async () => {
    const { engine, track, metrics, pass } = await measuringEngines()
    track('generation:success', 1)
    await engine.sdk.flush()
    pass(100 * day - 30 * 60_000)
    await engine.compact()
    expect(await metrics()).toMatchObject({ generationCount: 1 })
    pass(1)
    await engine.compact()
    expect(await metrics()).toMatchObject({ generationCount: 0 })
  })

  it('are deleted with their config and with their environment', async () => {
    const { api, as, config, createConfig, track, metrics } = await measuringEngines()
    track('generation:success', 1)
    expect(await metrics()).toMatchObject({ generationCount: 1 })
    await api.deleteAIConfig(config, { as })
    // These events arrive too late.
    track('generation:success', 1)
    await expect(metrics()).rejects.toMatchObject({ code: 'not_found' })
    await createConfig()
    expect(await metrics()).toMatchObject({ generationCount: 0 })
    track('generation:success', 1)
    expect(await metrics()).toMatchObject({ generationCount: 1 })
    await api.deleteEnvironment(environmentKeys, { as })
    const environment = { key: 'production', name: 'Production', color: 'ffffff' }
    await api.createEnvironment({ projectKey, body: environment }, { as })
    expect(await metrics()).toMatchObject({ generationCount: 0 })
  })

  it('are not stored when their config is deleted concurrently', async () => {
    let beforeWrite = async () => {}
    const { api, as, config, createConfig, track, metrics, engine } = await measuringEngines({
      beforeWrite: () => beforeWrite(),
    })
    track('generation:success', 1)
    beforeWrite = async () => {
      beforeWrite = async () => {}
      await api.deleteAIConfig(config, { as })
    }
    await engine.sdk.flush()
    await createConfig()
    expect(await metrics()).toMatchObject({ generationCount: 0 })
  })

  it('survive an export and an import', async () => {
    const { engine, track, metrics, as, config } = await measuringEngines()
    track('tokens:input', 7)
    track('tone', 1)
    const before = await metrics()
    await using copy = createEngine({ storage: createMemoryStorage(), clock: () => start })
    await copy.import(engine.export({ secrets: true }))
    const query = { from: start - day, to: start + day, env: 'production' }
    expect(await copy.api.getAIConfigMetrics({ ...config, ...query }, { as })).toEqual(before)
  })

  it.each([
    ['from', { from: 'yesterday' }],
    ['to', { to: start }],
    ['to', { to: start + 100 * day + 1 }],
    ['env', { env: '' }],
  ])('cannot be queried with an invalid `%s`', async (attribute, overrides) => {
    const { api, as, config } = await measuringEngines()
    const query = { from: start, to: start + 100 * day, env: 'production', ...overrides } as const
    for (const call of [api.getAIConfigMetrics, api.getAIConfigMetricsByVariation]) {
      await expect(call({ ...config, ...query }, { as })).rejects.toMatchObject({ errors: [{ attribute }] })
    }
  })

  it('are refused with 404 for an unknown environment or config', async () => {
    const { api, as, config } = await measuringEngines()
    const query = { from: start, to: start + day, env: 'production' }
    const notFound = { code: 'not_found' }
    await expect(api.getAIConfigMetrics({ ...config, ...query, env: 'none' }, { as })).rejects.toMatchObject(notFound)
    await expect(api.getAIConfigMetrics({ ...config, ...query, configKey: 'none' }, { as })).rejects.toMatchObject(
      notFound,
    )
    await expect(api.getAIConfigQuickStats({ projectKey, env: 'none' }, { as })).rejects.toMatchObject(notFound)
  })
})

describe('the quick stats of AI configs', () => {
  it('are empty before the first event', async () => {
    const { quickStats } = await measuringEngines()
    const expected = { activeConfigs: 0, activeExperiments: 0, averageSatisfaction7d: null, spendMonthToDate: null }
    expect(await quickStats()).toEqual(expected)
  })

  it('cover the last seven days and the current month', async () => {
    const { createConfig, track, quickStats, pass } = await measuringEngines()
    await createConfig('second')
    track('tokens:input', 4)
    track('feedback:user:positive', 1)
    track('tokens:output', 1, { configKey: 'second' })
    const expected = { activeConfigs: 2, activeExperiments: 0, averageSatisfaction7d: 1, spendMonthToDate: 1.5 }
    expect(await quickStats()).toEqual(expected)
    // 2 November, 9:30, plus eight days.
    pass(8 * day)
    track('feedback:user:negative', 1)
    expect(await quickStats()).toEqual({ ...expected, activeConfigs: 1, averageSatisfaction7d: 0 })
    // 10 November, plus twenty-one days: 1 December.
    pass(21 * day)
    expect(await quickStats()).toEqual({
      activeConfigs: 0,
      activeExperiments: 0,
      averageSatisfaction7d: null,
      spendMonthToDate: null,
    })
  })
})
