import { beforeAll, describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import type { Engine } from '../../index.ts'
import { admin, day, engineWithProjects, environmentKeys, hour, send } from './test/simple-lead-times.ts'

describe('the validation of the lead-time chart', () => {
  let engine: Engine
  beforeAll(async () => {
    engine = await engineWithProjects()
  })

  const environmentQuery = 'projectKey=web&environmentKey=production'
  const errorResponse = async (query: string) => {
    const response = await send(engine, `/api/v2/engineering-insights/charts/lead-time?${query}`)
    return { status: response.status, ...(JSON.parse(response.body as string) as object) }
  }

  it('reports each missing required key', async () => {
    expect(await errorResponse('')).toEqual({
      status: 400,
      code: 'invalid_request',
      message: 'validation failed',
      errors: [
        { attribute: 'projectKey', reason: 'must be present' },
        { attribute: 'environmentKey', reason: 'must be present' },
      ],
    })
    expect(await errorResponse('projectKey=web')).toMatchObject({
      errors: [{ attribute: 'environmentKey', reason: 'must be present' }],
    })
  })

  it.each([
    ['bucketType=week', 'bucketType'],
    ['bucketMs=0', 'bucketMs'],
    ['bucketMs=1.5', 'bucketMs'],
    ['groupBy=team', 'groupBy'],
    ['expand=everything', 'expand'],
    ['from=yesterday', 'from'],
    ['from=2000&to=1000', 'from'],
    ['from=1000&to=1000', 'from'],
    ['to=-1', 'to'],
    // One bucket more than allowed, for each type.
    ['from=0&to=2001&bucketMs=1', 'bucketMs'],
    [`from=0&to=${2000 * hour + 1}&bucketType=hour`, 'from'],
    [`from=0&to=${2000 * day + 1}&bucketType=day`, 'from'],
  ])('rejects %s', async (query, attribute) => {
    const response = (await errorResponse(`${environmentQuery}&${query}`)) as {
      status: number
      code: string
      errors: { attribute: string }[]
    }
    expect(response).toMatchObject({ status: 400, code: 'invalid_request' })
    expect(response.errors.map((error) => error.attribute.split('.')[0])).toEqual([attribute])
  })

  it('accepts 2,000 buckets', async () => {
    const chart = await engine.api.getLeadTimeChart(
      { ...environmentKeys, from: 0, to: 2000, bucketMs: 1 },
      { as: admin },
    )
    expect(chart.series[0]?.data).toHaveLength(2000)
  })

  it('is rejected with 404 for an unknown project or environment', async () => {
    expect(await errorResponse('projectKey=nope&environmentKey=production')).toMatchObject({
      status: 404,
      code: 'not_found',
    })
    expect(await errorResponse('projectKey=web&environmentKey=nope')).toMatchObject({ status: 404, code: 'not_found' })
  })

  it('requires viewProject', async () => {
    const policy: Statement[] = [{ effect: 'allow', resources: ['proj/other'], actions: ['viewProject'] }]
    const call = (projectKey: string) =>
      engine.api.getLeadTimeChart({ projectKey, environmentKey: 'production' }, { as: { policy } })
    await expect(call('other')).resolves.toBeDefined()
    await expect(call('web')).rejects.toMatchObject({ code: 'forbidden' })
  })

  it('requires a token and the beta header', async () => {
    const path = `/api/v2/engineering-insights/charts/lead-time?${environmentQuery}`
    expect((await send(engine, path, { headers: { authorization: '' } })).status).toBe(401)
    expect((await send(engine, path, { headers: { 'svc-api-version': '20240415' } })).status).toBe(403)
  })
})
