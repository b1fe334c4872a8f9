import { beforeEach, describe, expect, it } from 'vitest'
import { allow, day, hour, type InsightAccount, insightAccount, production, start } from './test/insight-account.ts'

let account: InsightAccount

beforeEach(async () => {
  account = await insightAccount()
})

const range = (min: number, max: number) => ({ min, max })

describe('scores', () => {
  it('have all properties of the specification, and their periods', async () => {
    await account.create('all')
    const { scores, scoreMetadata } = await account.get('all', { expand: 'scores' })
    expect(scoreMetadata).toEqual({
      period: { startTime: String(start - 30 * day), endTime: String(start) },
      lastPeriod: { startTime: String(start - 60 * day), endTime: String(start - 30 * day) },
    })
    expect(Object.keys(scores ?? {}).sort()).toEqual([
      'creationRatio',
      'deploymentFailureRate',
      'deploymentFrequency',
      'efficiency',
      'experimentationCoverage',
      'flagHealth',
      'impactSize',
      'leadTime',
      'overall',
      'risk',
      'velocity',
    ])
    const list = await account.list({ expand: 'scores' })
    expect(list.scoreMetadata).toEqual(scoreMetadata)
    expect(list.items[0]).toMatchObject({ scores, scoreMetadata })
  })

  it('can be read for an environment without a group', async () => {
    await account.deployed('finished', start - day)
    await account.create('all')
    const response = await account.api.getInsightsScores(production, { as: account.as })
    const { scores, scoreMetadata } = await account.get('all', { expand: 'scores' })
    expect(response).toEqual({
      ...scoreMetadata,
      scores,
      _links: { self: expect.objectContaining({ type: 'application/json' }) },
    })
    const { api, as } = account
    await expect(api.getInsightsScores({ ...production, environmentKey: 'none' }, { as })).rejects.toMatchObject({
      status: 404,
    })
    const otherProjectViewer = { policy: [allow(['viewProject'], ['proj/other'])] }
    await expect(api.getInsightsScores(production, { as: otherProjectViewer })).rejects.toMatchObject({ status: 403 })
    const { status, body } = await account.send('GET', '/scores', { query: '' })
    expect(status).toBe(400)
    expect(body.errors).toEqual(
      ['projectKey', 'environmentKey'].map((attribute) => ({ attribute, reason: 'must be present' })),
    )
  })

  it('are unknown without any data, and not calculated when the period has no data', async () => {
    const empty = await account.scores()
    expect(empty.deploymentFrequency).toEqual({
      score: 0,
      indicator: 'unknown',
      indicatorRange: range(0, 100),
      lastPeriod: { score: 0, indicator: 'unknown', indicatorRange: range(0, 100) },
    })
    expect(empty.leadTime.indicator).toBe('unknown')
    expect(empty.impactSize.indicator).toBe('unknown')
    expect(empty.experimentationCoverage.indicator).toBe('unknown')
    expect(empty.flagHealth.indicator).toBe('notCalculated')
    expect(empty.risk.indicator).toBe('unknown')
    await account.deployed('finished', start - 90 * day)
    await account.delivered(start - 90 * day, hour)
    const afterOldData = await account.scores()
    expect(afterOldData.deploymentFrequency).toMatchObject({ score: 0, indicator: 'needsAttention' })
    expect(afterOldData.deploymentFailureRate.indicator).toBe('notCalculated')
    expect(afterOldData.leadTime.indicator).toBe('notCalculated')
  })

  it('rate the frequency and the failures of deployments, compared with the previous period', async () => {
    for (let i = 0; i < 30; i++) await account.deployed('finished', start - i * day)
    await account.deployed('failed', start)
    await account.deployed('failed', start - 40 * day)
    await account.deployed('finished', start - 41 * day)
    const scores = await account.scores()
    expect(scores.deploymentFrequency).toEqual({
      score: 90,
      indicator: 'excellent',
      indicatorRange: range(90, 100),
      diffVsLastPeriod: 50,
      lastPeriod: { score: 40, indicator: 'fair', indicatorRange: range(40, 69) },
    })
    // One of 31 deployments failed: 100 - 10 * (1/31) / 0.05 = 93.5…; in the previous period one of two failed, which
    // is beyond the last anchor.
    expect(scores.deploymentFailureRate).toMatchObject({ score: 94, diffVsLastPeriod: 94, lastPeriod: { score: 0 } })
    expect(scores.risk).toMatchObject({ score: 94, aggregateOf: ['deploymentFailureRate', 'impactSize'] })
  })

  it('rate the median lead time', async () => {
    await account.delivered(start, 2 * hour)
    await account.delivered(start - day, 168 * hour)
    await account.delivered(start - 2 * day, 4000 * hour)
    await account.delivered(start - 30 * day, hour)
    const { leadTime, velocity } = await account.scores()
    expect(leadTime).toMatchObject({ score: 70, indicator: 'good', diffVsLastPeriod: -30, lastPeriod: { score: 100 } })
    expect(velocity).toMatchObject({ score: 70, diffVsLastPeriod: -30 })
  })

  it('use only data of the applications of the group', async () => {
    await account.delivered(start, 24 * hour, 'shop')
    await account.delivered(start - 1, 720 * hour, 'blog')
    await account.create('shop', { applicationKeys: ['shop'] })
    await account.create('blog', { applicationKeys: ['blog'] })
    await account.create('new', { applicationKeys: ['new'] })
    const { items } = await account.list({ expand: 'scores' })
    const scoresByKey = Object.fromEntries(items.map(({ key, scores }) => [key, scores?.leadTime]))
    expect(scoresByKey).toMatchObject({ shop: { score: 90 }, blog: { score: 40 }, new: { indicator: 'unknown' } })
    expect((await account.scores({ applicationKey: 'blog' })).leadTime.score).toBe(40)
    // The median of both is 372 hours: 70 - 30 * (372 - 168) / 552.
    expect((await account.scores({ applicationKey: 'blog,shop' })).leadTime.score).toBe(59)
    expect((await account.scores({ applicationKey: '' })).leadTime.score).toBe(59)
  })

  it('use only data of the environment of the group', async () => {
    await account.delivered(start, hour, 'shop', { projectKey: 'other', environmentKey: 'production' })
    await account.delivered(start, 720 * hour, 'shop')
    await account.deployed('finished', start)
    await account.create('here')
    await account.create('elsewhere', { projectKey: 'other' })
    await account.create('test', { environmentKey: 'test' })
    const { items, metadata } = await account.list({ expand: 'scores,metadata' })
    const scoresByKey = Object.fromEntries(items.map(({ key, scores }) => [key, scores?.overall.indicator]))
    // Velocity is 40 and risk 100; the other environments have less than half of the metrics.
    expect(scoresByKey).toEqual({ here: 'good', elsewhere: 'unknown', test: 'unknown' })
    expect(metadata?.countByIndicator).toMatchObject({ good: 1, unknown: 2, total: 3 })
  })

  it('are not excellent for a project whose only data is one new flag', async () => {
    const body = { key: 'new', name: 'New', temporary: true }
    await account.api.createFlag({ projectKey: 'web', body }, { as: account.as })
    const scores = await account.scores()
    expect(scores.flagHealth).toMatchObject({ score: 100, indicator: 'excellent' })
    expect(scores.overall).toMatchObject({ score: 0, indicator: 'unknown' })
  })
})

describe('flag health', () => {
  const createFlag = (key: string, overrides: object = {}) =>
    account.api.createFlag(
      { projectKey: 'web', body: { key, name: key, temporary: true, ...overrides } },
      { as: account.as },
    )
  const turnOn = (flagKey: string, environmentKey = 'production') =>
    account.api.patchFlag(
      {
        projectKey: 'web',
        flagKey,
        body: [{ op: 'replace', path: `/environments/${environmentKey}/on`, value: true }],
      },
      { as: account.as },
    )
  const archive = (flagKey: string) =>
    account.api.patchFlag(
      { projectKey: 'web', flagKey, body: [{ op: 'replace', path: '/archived', value: true }] },
      { as: account.as },
    )

  const change = (key: string, path: string, value: unknown) =>
    account.api.patchFlag(
      {
        projectKey: 'web',
        flagKey: key,
        body: [{ op: 'replace', path: `/environments/production/${path}`, value }] as never,
      },
      { as: account.as },
    )
  /** Creates a flag that is in use and serves two variations, so that it is neither inactive nor launched. */
  const activeFlag = async (key: string) => {
    await createFlag(key)
    await turnOn(key)
    await change(key, 'targets', [{ values: ['ann'], variation: 1, contextKind: 'user' }])
  }

  it('falls with temporary flags that are a month old, and inactive or launched for a week', async () => {
    await createFlag('launched')
    await turnOn('launched')
    await createFlag('inactive')
    await turnOn('inactive', 'test')
    for (const key of ['c', 'd']) await activeFlag(key)
    await createFlag('kept', { temporary: false })
    await turnOn('kept')
    account.pass(30 * day)
    expect((await account.scores()).flagHealth.score).toBe(100)
    account.pass(1)
    // Two of four flags are stale: 70 - 30 * (0.5 - 0.3) / 0.3.
    expect((await account.scores()).flagHealth.score).toBe(50)
    await change('c', 'targets', [])
    await change('d', 'on', false)
    account.pass(7 * day - 1)
    expect((await account.scores()).flagHealth.score).toBe(50)
    account.pass(1)
    // All four flags are stale.
    expect((await account.scores()).flagHealth.score).toBe(0)
    await turnOn('d')
    // Three of four flags are stale: 40 - 40 * (0.75 - 0.6) / 0.4.
    expect((await account.scores()).flagHealth.score).toBe(25)
    await archive('launched')
    // Two of three flags are stale: 40 - 40 * (0.667 - 0.6) / 0.4.
    expect((await account.scores()).flagHealth).toMatchObject({ score: 33 })
  })

  it('matches the rating of the stale flags chart', async () => {
    await createFlag('launched')
    await turnOn('launched')
    await createFlag('inactive')
    for (const key of ['c', 'd', 'e', 'f', 'g']) await activeFlag(key)
    account.pass(60 * day)
    const { metadata } = await account.api.getStaleFlagsChart({ ...production, expand: 'metrics' }, { as: account.as })
    expect(metadata.metrics.flagHealth).toMatchObject({ value: 2 / 7, indicator: 'good' })
    // Two of seven flags are stale: 90 - 20 * (0.286 - 0.1) / 0.2.
    expect((await account.scores()).flagHealth).toMatchObject({ score: 71, indicator: 'good' })
  })

  it('does not fall with flags that serve several variations or have a prerequisite', async () => {
    await activeFlag('split')
    await createFlag('first')
    await createFlag('second')
    for (const key of ['first', 'second']) await turnOn(key)
    await change('second', 'prerequisites', [{ key: 'first', variation: 0 }])
    account.pass(60 * day)
    // Only the first of three flags is stale.
    expect((await account.scores()).flagHealth.score).toBe(67)
  })

  it('uses the past states of flags for the previous period', async () => {
    await createFlag('a')
    await turnOn('a')
    for (const key of ['b', 'c']) await activeFlag(key)
    account.pass(70 * day)
    await archive('a')
    const { flagHealth, efficiency, creationRatio } = await account.scores()
    // In the previous period, one of three flags was inactive: 70 - 30 * (0.333 - 0.3) / 0.3.
    expect(flagHealth).toMatchObject({ score: 100, diffVsLastPeriod: 33, lastPeriod: { score: 67 } })
    expect(efficiency).toMatchObject({ score: 100, diffVsLastPeriod: 33 })
    expect(creationRatio.indicator).toBe('notCalculated')
  })

  it('and the creation ratio use only data of the project and environment of each group, in both periods', async () => {
    const { api, as } = account
    await createFlag('a')
    await activeFlag('b')
    for (const key of ['gone', 'going']) await createFlag(key, { temporary: false })
    await api.createFlag({ projectKey: 'other', body: { key: 'c', name: 'c', temporary: true } }, { as })
    await turnOn('a')
    for (const key of ['a', 'b']) await turnOn(key, 'test')
    account.pass(75 * day)
    for (const key of ['one', 'two']) await createFlag(key, { temporary: false })
    await archive('gone')
    account.pass(25 * day)
    await createFlag('three', { temporary: false })
    await archive('going')
    account.pass(10 * day)
    await account.create('other', { projectKey: 'other' })
    await account.create('production')
    await account.create('test', { environmentKey: 'test' })
    const { items } = await account.list({ expand: 'scores' })
    const scoresByKey = items.map(({ key, scores }) => [key, scores?.flagHealth, scores?.creationRatio])
    // One flag is archived for every two that are created: 40 + 30 * (0.5 - 0.4) / 0.3.
    const ratio = { score: 100, diffVsLastPeriod: 50, lastPeriod: { score: 50 } }
    expect(scoresByKey).toMatchObject([
      ['other', { score: 0, diffVsLastPeriod: 0 }, { indicator: 'notCalculated' }],
      ['production', { score: 50, diffVsLastPeriod: 0 }, ratio],
      ['test', { score: 0, diffVsLastPeriod: 0 }, ratio],
    ])
  })

  it('is independent of the creation ratio', async () => {
    for (const key of ['a', 'b', 'c', 'd', 'e']) await createFlag(key)
    for (const key of ['a', 'b']) await archive(key)
    const { creationRatio } = await account.scores()
    expect(creationRatio).toMatchObject({ score: 40, indicator: 'fair' })
  })
})
