import { beforeAll, describe, expect, it } from 'vitest'
import {
  allow,
  type InsightAccount,
  insightAccount,
  production,
  start,
} from '../insight-groups/test/insight-account.ts'

const paths = {
  getDeploymentFrequencyChart: 'deployments/frequency',
  getReleaseFrequencyChart: 'releases/frequency',
  getFlagStatusChart: 'flags/status',
  getStaleFlagsChart: 'flags/stale',
} as const

let account: InsightAccount

beforeAll(async () => {
  account = await insightAccount()
})

const environmentQuery = 'projectKey=web&environmentKey=production'

describe.each(Object.entries(paths))('%s', (operation, path) => {
  const send = async (query: string, headers: Record<string, string> = {}) => {
    const allHeaders: Record<string, string> = { authorization: account.as, 'svc-api-version': 'beta', ...headers }
    const response = await account.engine.handle({
      method: 'GET',
      path: `/api/v2/engineering-insights/charts/${path}`,
      query,
      header: (name) => allHeaders[name],
      body: { kind: 'parsed', value: undefined },
    })
    return { status: response.status, body: JSON.parse(response.body || '{}') as Record<string, unknown> }
  }

  it('responds with the common shape of charts', async () => {
    const { status, body } = await send(`${environmentQuery}&to=${start}&bucketType=hour`)
    expect(status).toBe(200)
    expect(body).toEqual({
      metadata: {
        summary: expect.any(Object),
        xAxis: 'timestamp',
        yAxis: 'count',
        name: expect.any(String),
        metrics: {},
      },
      series: expect.any(Array),
    })
    for (const { data } of body.series as { data: unknown[] }[]) expect(data).toHaveLength(7 * 24)
  })

  it('reports all missing and invalid parameters together', async () => {
    const missing = await send('')
    expect(missing.status).toBe(400)
    expect(missing.body.errors).toEqual(
      ['projectKey', 'environmentKey'].map((attribute) => ({ attribute, reason: 'must be present' })),
    )
    const invalid = await send(
      `${environmentQuery}&from=x&bucketType=week&bucketMs=0&expand=percentiles&groupBy=__proto__`,
    )
    const attributes = (invalid.body.errors as { attribute: string }[]).map(({ attribute }) => attribute.split('.')[0])
    expect(invalid.status).toBe(400)
    const groupErrors = operation === 'getFlagStatusChart' ? [] : ['groupBy']
    expect([...new Set(attributes)].sort()).toEqual(['bucketMs', 'bucketType', 'expand', 'from', ...groupErrors].sort())
  })

  it('rejects an empty range and too many buckets', async () => {
    expect((await send(`${environmentQuery}&from=5&to=5`)).body.errors).toEqual([
      { attribute: 'from', reason: 'must be before `to`' },
    ])
    expect((await send(`${environmentQuery}&from=0&to=2001&bucketMs=1`)).body.errors).toEqual([
      { attribute: 'bucketMs', reason: 'must be so large that the range has at most 2000 buckets' },
    ])
    expect((await send(`${environmentQuery}&from=0&to=2000&bucketMs=1`)).status).toBe(200)
  })

  it('requires the beta header, a token, viewProject, and an environment', async () => {
    expect((await send(environmentQuery, { 'svc-api-version': '20240415' })).status).toBe(403)
    expect((await send(environmentQuery, { authorization: 'nobody' })).status).toBe(401)
    expect((await send('projectKey=web&environmentKey=none')).status).toBe(404)
    expect((await send('projectKey=none&environmentKey=production')).status).toBe(404)
    const call = account.api[operation as keyof typeof paths]
    const otherProjectViewer = { policy: [allow(['viewProject'], ['proj/other'])] }
    await expect(call(production, { as: otherProjectViewer })).rejects.toMatchObject({ status: 403 })
    const projectViewer = { policy: [allow(['viewProject'], ['proj/web'])] }
    expect((await call(production, { as: projectViewer })).metadata.xAxis).toBe('timestamp')
  })
})
