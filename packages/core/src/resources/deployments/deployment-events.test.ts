import { describe, expect, it } from 'vitest'
import type { Statement } from '../../entries/policy.ts'
import {
  account,
  accountForEachTest,
  admin,
  base,
  type DeploymentEvent,
  environmentKeys,
  minute,
  now,
} from './test/deployment-account.ts'

accountForEachTest()

describe('a deployment event', () => {
  it('creates a deployment with all properties of the reference API', async () => {
    await account.report('started', now - 10 * minute, {
      applicationName: 'Shop',
      applicationKind: 'browser',
      versionName: 'One',
      deploymentMetadata: { region: 'eu' },
    })
    const { id, ...deployment } = await account.onlyDeployment()
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(deployment).toEqual({
      _links: { self: { href: `${base}/deployments/${id}`, type: 'application/json' } },
      applicationKey: 'shop',
      applicationName: 'Shop',
      applicationKind: 'browser',
      applicationVersion: '1.0.0',
      versionName: 'One',
      environmentKey: 'production',
      status: 'started',
      kind: 'deployment',
      startedAt: String(now - 10 * minute),
      active: false,
      archived: false,
      metadata: { region: 'eu' },
      numberOfContributors: 0,
      numberOfPullRequests: 0,
      linesAdded: 0,
      linesDeleted: 0,
      leadTime: 0,
    })
  })

  it('advances the deployment of its version', async () => {
    await account.report('started', now - 10 * minute)
    await account.report('finished', now - 4 * minute)
    expect(await account.onlyDeployment()).toMatchObject({
      status: 'finished',
      startedAt: String(now - 10 * minute),
      endedAt: String(now - 4 * minute),
      durationMs: 6 * minute,
      active: true,
    })
  })

  it('may be reported before an earlier event', async () => {
    await account.report('finished', now - 4 * minute)
    expect(await account.onlyDeployment()).toMatchObject({ status: 'finished', startedAt: String(now - 4 * minute) })
    await account.report('started', now - 10 * minute)
    expect(await account.onlyDeployment()).toMatchObject({
      status: 'finished',
      startedAt: String(now - 10 * minute),
      durationMs: 6 * minute,
    })
  })

  it('changes nothing when it is repeated', async () => {
    await account.report('started', now - 10 * minute)
    const before = await account.onlyDeployment()
    await account.report('started', now - 10 * minute)
    expect(await account.onlyDeployment()).toEqual(before)
    const response = await account.send('GET', `${base}/deployments/${before.id}`)
    expect(response.headers.etag).toBe('"1"')
  })

  it('has the current time by default', async () => {
    await account.report('started', undefined)
    expect((await account.onlyDeployment()).startedAt).toBe(String(now))
  })

  it('creates one deployment for each application, version and environment', async () => {
    await account.report('started', now)
    await account.report('started', now, { version: '1.0.1' })
    await account.report('started', now, { applicationKey: 'api' })
    await account.report('started', now, { environmentKey: 'test' })
    await account.report('started', now, { projectKey: 'other' })
    expect((await account.list()).totalCount).toBe(3)
    expect((await account.list({ environmentKey: 'test' })).totalCount).toBe(1)
    expect((await account.list({ projectKey: 'other' })).totalCount).toBe(1)
    const ids = [...(await account.list()).items, ...(await account.list({ environmentKey: 'test' })).items].map(
      (deployment) => deployment.id,
    )
    expect(new Set(ids).size).toBe(4)
  })

  it('keeps the metadata of the latest event that has some', async () => {
    await account.report('finished', now - minute, { deploymentMetadata: { build: 2 } })
    await account.report('started', now - 5 * minute, { deploymentMetadata: { build: 1 } })
    await account.report('custom', now)
    expect((await account.onlyDeployment()).metadata).toEqual({ build: 2 })
  })

  it('is created with 201 and no body', async () => {
    const body = { ...environmentKeys, applicationKey: 'shop', version: '1', eventType: 'started' }
    expect(await account.send('POST', `${base}/deployment-events`, { body })).toMatchObject({
      status: 201,
      body: undefined,
    })
    const withoutBeta = await account.send('POST', `${base}/deployment-events`, {
      body,
      headers: { 'svc-api-version': '' },
    })
    expect(withoutBeta.status).toBe(403)
  })

  it.each([
    [{ projectKey: undefined }, 'projectKey'],
    [{ environmentKey: 'a b' }, 'environmentKey'],
    [{ applicationKey: '' }, 'applicationKey'],
    [{ version: '1.0+build' }, 'version'],
    [{ eventType: 'stopped' }, 'eventType'],
    [{ applicationKind: 'desktop' }, 'applicationKind'],
    [{ eventTime: 1.5 }, 'eventTime'],
    [{ deploymentMetadata: 'text' }, 'deploymentMetadata'],
    [{ surprise: 1 }, 'surprise'],
    [{ pullRequests: [{ externalId: 'a', startedAt: 1, mergedAt: 2 }] }, 'pullRequests'],
  ])('rejects %j', async (invalid, attribute) => {
    const body = { ...environmentKeys, applicationKey: 'shop', version: '1', eventType: 'started', ...invalid }
    const response = await account.send('POST', `${base}/deployment-events`, { body })
    expect(response.status).toBe(400)
    const { code, errors } = JSON.parse(response.body as string) as { code: string; errors: { attribute: string }[] }
    expect(code).toBe('invalid_request')
    expect(errors.map((deployment) => deployment.attribute)).toEqual([attribute])
  })

  it('is rejected with 404 for an unknown project or environment', async () => {
    await expect(account.report('started', now, { projectKey: 'nope' })).rejects.toMatchObject({ code: 'not_found' })
    await expect(account.report('started', now, { environmentKey: 'nope' })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  it('requires createDeployment in the environment of the body', async () => {
    const policy: Statement[] = [
      { effect: 'allow', resources: ['proj/web:env/test:deployment/*'], actions: ['createDeployment'] },
    ]
    const event = (environmentKey: string) => {
      const body: DeploymentEvent = {
        ...environmentKeys,
        environmentKey,
        applicationKey: 'shop',
        version: '1',
        eventType: 'started',
      }
      return account.api.createDeploymentEvent({ body }, { as: { policy } })
    }
    await expect(event('test')).resolves.toBeUndefined()
    await expect(event('production')).rejects.toMatchObject({ code: 'forbidden' })
  })
})

describe('the pull requests of a deployment', () => {
  const hour = 60 * minute
  const pullRequests = [
    {
      externalId: '7',
      author: 'ada',
      startedAt: now - 9 * hour,
      openedAt: now - 5 * hour,
      mergedAt: now - 2 * hour,
      linesAdded: 10,
    },
    {
      externalId: '8',
      author: 'ada',
      startedAt: now - 3 * hour,
      mergedAt: now - 2 * hour,
      linesAdded: 5,
      linesDeleted: 4,
    },
    { externalId: '9', title: 'Fix', author: 'bob', startedAt: now - 4 * hour, mergedAt: now - 2 * hour },
  ]

  it('are counted, and included on request', async () => {
    await account.report('finished', now - hour, { pullRequests })
    expect(await account.onlyDeployment()).toMatchObject({
      numberOfContributors: 2,
      numberOfPullRequests: 3,
      linesAdded: 15,
      linesDeleted: 4,
      leadTime: 8 * hour,
    })
    expect(await account.onlyDeployment()).not.toHaveProperty('pullRequests')
    const [deployment] = (await account.list({ expand: ['pullRequests'] })).items
    expect(deployment?.pullRequests?.totalCount).toBe(3)
    expect(deployment?.pullRequests?.items[0]).toEqual({
      externalId: '7',
      author: 'ada',
      createTime: String(now - 5 * hour),
      mergeTime: String(now - 2 * hour),
      linesAdded: 10,
      linesDeleted: 0,
      leadTime: 8 * hour,
    })
  })

  it('become samples of lead time, once', async () => {
    await account.report('started', now - 1.5 * hour)
    await account.report('finished', now - hour, { pullRequests })
    await account.report('finished', now - hour, { pullRequests })
    const { metadata } = await account.api.getLeadTimeChart(environmentKeys, admin)
    expect(metadata.summary).toEqual({
      coding: { count: 3, mean: ((4 + 1 + 2) * hour) / 3 },
      review: { count: 1, mean: 3 * hour },
      wait: { count: 3, mean: 0.5 * hour },
      deploy: { count: 3, mean: 0.5 * hour },
      total: { count: 3, mean: ((8 + 2 + 3) * hour) / 3 },
      percentileError: 0,
    })
  })
})
