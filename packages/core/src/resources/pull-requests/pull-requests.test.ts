import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../index.ts'

const hour = 3_600_000
const now = Date.UTC(2028, 1, 29)
const admin = { as: { role: 'admin' } } as const
const environmentKeys = { projectKey: 'web', environmentKey: 'production' }

let api: Engine['api']
/** Runs `engine.compact` with a time one day after `now`, so that it summarizes all days up to `now`. */
let compact: () => Promise<unknown>

beforeEach(async () => {
  let currentTime = now
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => currentTime })
  api = engine.api
  compact = async () => {
    currentTime = now + 24 * hour
    await engine.compact()
    currentTime = now
  }
  await api.createProject({ body: { key: 'web', name: 'Web' } }, admin)
})

const pullRequest = {
  externalId: 'octo/shop#1',
  repositoryKey: 'octo/shop',
  title: 'Faster',
  state: 'merged',
  openedAt: now - 5 * hour,
  mergedAt: now - 3 * hour,
  updatedAt: now - 3 * hour,
  commits: [
    { externalId: 'b', authoredAt: now - 7 * hour },
    { externalId: 'a', authoredAt: now - 8 * hour },
  ],
} as const

const report = (...pullRequests: object[]) =>
  api.createPullRequests({ body: { projectKey: 'web', pullRequests: pullRequests as never } }, admin)

const deploy = (changes: { pullRequestIds?: string[]; commitIds?: string[] }) => {
  const event = { applicationKey: 'shop', version: '1.0.0' }
  const events = [
    { ...event, eventType: 'finished', eventTime: now - hour, ...changes },
    { ...event, eventType: 'started', eventTime: now - 2 * hour },
  ] as const
  return api.createDeploymentEvents({ body: { ...environmentKeys, events } }, admin)
}

/** Returns the sums of all stages in hours, from the chart of the last day. */
async function stages() {
  const range = { from: now - 24 * hour, to: now, bucketMs: 24 * hour }
  const { metadata } = await api.getLeadTimeChart({ ...environmentKeys, ...range }, admin)
  const { percentileError, ...figures } = metadata.summary
  return Object.fromEntries(Object.entries(figures).map(([name, { count, mean }]) => [name, (count * mean) / hour]))
}

const list = (query: object = {}) => api.listPullRequests({ projectKey: 'web', ...query }, admin)

describe('a pull request', () => {
  // First commit 8 h ago, opened 5 h ago, merged 3 h ago, deployed from 2 h ago to 1 h ago.
  const expected = { coding: 3, review: 2, wait: 1, deploy: 1, total: 7 }

  it('has lead times after a deployment with its id', async () => {
    await report(pullRequest)
    await deploy({ pullRequestIds: [pullRequest.externalId] })
    expect(await stages()).toEqual(expected)
  })

  it('has lead times when a deployment with its commits was reported first', async () => {
    await deploy({ commitIds: ['b', 'a'] })
    expect((await list()).totalCount).toBe(0)
    await report(pullRequest)
    expect(await stages()).toEqual(expected)
    const [deployed] = (await list({ status: 'deployed', expand: ['deployments'] })).items
    expect(deployed).toMatchObject({
      status: 'deployed',
      leadTime: 7 * hour,
      numberOfCommits: 2,
      deployments: [{ applicationKey: 'shop', applicationVersion: '1.0.0', leadTime: 7 * hour }],
    })
  })

  it('updates its lead times when later reports of its deployment and commits arrive, even in a summarized day', async () => {
    const event = { applicationKey: 'shop', version: '1.0.0' }
    const changes = { pullRequestIds: [pullRequest.externalId] }
    const finished = { ...event, eventType: 'finished', eventTime: now - hour, ...changes } as const
    const started = (eventTime: number) => ({ ...event, eventType: 'started', eventTime }) as const
    const deployed = (...events: readonly (typeof finished | ReturnType<typeof started>)[]) =>
      api.createDeploymentEvents({ body: { ...environmentKeys, events } }, admin)
    const { commits, ...withoutCommits } = pullRequest
    await report(withoutCommits)
    // The start is later than the end, so it belongs to another attempt.
    await deployed(finished, started(now))
    expect(await stages()).toEqual({ coding: 0, review: 2, wait: 2, deploy: 0, total: 4 })
    await compact()
    await deployed(started(now - 2 * hour))
    expect(await stages()).toEqual({ coding: 0, review: 2, wait: 1, deploy: 1, total: 4 })
    await api.createCommits(
      { body: { projectKey: 'web', commits: commits.map((item) => ({ ...item, pullRequestId: 'octo/shop#1' })) } },
      admin,
    )
    expect(await stages()).toEqual(expected)
    await compact()
    expect(await stages()).toEqual(expected)
  })

  it('counts on the day of its earliest deployment, even if a later deployment was reported first', async () => {
    await report(pullRequest)
    const deployed = (version: string, eventTime: number) => {
      const event = { applicationKey: 'shop', version, eventType: 'finished', eventTime } as const
      return api.createDeploymentEvent(
        { body: { ...environmentKeys, ...event, pullRequestIds: [pullRequest.externalId] } },
        admin,
      )
    }
    const totals = async () => {
      const range = { from: now - 48 * hour, to: now, bucketMs: 24 * hour } as const
      const { series } = await api.getLeadTimeChart({ ...environmentKeys, ...range, groupBy: 'application' }, admin)
      return series.map(({ metadata, data }) => [metadata.name, data.map(({ y }) => y && y / hour)])
    }
    await deployed('2', now - hour)
    await compact()
    expect(await totals()).toEqual([['shop', [0, 7]]])
    // The deployment is before the commits, as in some real histories. Its lead time is 0, and it is the earliest
    // deployment.
    await deployed('1', now - 30 * hour)
    expect(await totals()).toEqual([['shop', [0, 0]]])
    await compact()
    expect(await totals()).toEqual([['shop', [0, 0]]])
  })

  it('takes over the lead time of its commit, which was a change by itself before the report of the pull request', async () => {
    await deploy({ commitIds: ['a'] })
    await api.createCommits({ body: { projectKey: 'web', commits: [pullRequest.commits[1]] } }, admin)
    expect(await stages()).toMatchObject({ total: 7, review: 0 })
    await report(pullRequest)
    expect(await stages()).toEqual(expected)
  })

  it('counts as known when it is reported again, and the report with the later time is stored', async () => {
    expect(await report(pullRequest)).toEqual({ accepted: 1, added: 1, known: 0 })
    expect(await report(pullRequest)).toEqual({ accepted: 1, added: 0, known: 1 })
    const { mergedAt, ...before } = pullRequest
    const olderReport = { ...before, title: 'Draft', state: 'open', updatedAt: now - 4 * hour }
    expect(await report(olderReport)).toEqual({ accepted: 1, added: 0, known: 1 })
    expect((await list()).items[0]).toMatchObject({ title: 'Faster', status: 'merged' })
    expect(await report({ ...pullRequest, title: 'Fastest', updatedAt: now })).toMatchObject({ added: 1 })
    expect((await list()).items[0]?.title).toBe('Fastest')
  })

  it('is listed in pages, and filtered by status, environment, application, repository and text', async () => {
    const open = { externalId: 'octo/api#1', title: 'Slower', state: 'open', openedAt: now - hour }
    await report(pullRequest, open, { ...open, externalId: 'octo/api#2' })
    await deploy({ pullRequestIds: [pullRequest.externalId] })
    const ids = async (query: object) => (await list(query)).items.map((item) => item.externalId)
    expect(await ids({ status: 'open' })).toEqual(['octo/api#1', 'octo/api#2'])
    expect(await ids({ status: 'deployed', environmentKey: 'production', applicationKey: ['shop'] })).toEqual([
      'octo/shop#1',
    ])
    expect(await ids({ status: 'deployed', environmentKey: 'test' })).toEqual([])
    expect(await ids({ status: 'merged', environmentKey: 'test' })).toEqual(['octo/shop#1'])
    expect(await ids({ repositoryKey: 'octo/shop', query: 'fast' })).toEqual(['octo/shop#1'])
    const first = await list({ limit: 2 })
    const after = new URLSearchParams(first._links.next?.href.split('?')[1]).get('after')
    expect(await ids({ limit: 2, after })).toEqual(['octo/shop#1'])
  })

  it('is sorted by its lead time to an environment, in pages in both directions', async () => {
    const ages = [5, 3, 9, 3, 7, 0]
    const events = ages.map(
      (_, i) =>
        ({
          applicationKey: i % 2 === 0 ? 'shop' : 'api',
          version: `v${i}`,
          eventType: 'finished',
          eventTime: now - hour,
          pullRequestIds: [`p${i}`],
        }) as const,
    )
    const opened = (age: number) => ({ title: '', state: 'merged', openedAt: now - (age + 1) * hour, mergedAt: now })
    await report(...ages.map((age, i) => ({ externalId: `p${i}`, ...opened(age) })), {
      externalId: 'none',
      ...opened(4),
    })
    await api.createDeploymentEvents({ body: { ...environmentKeys, events } }, admin)
    // A later deployment: the longest lead time counts, for each application separately.
    const later = { applicationKey: 'api', version: 'v9', eventType: 'finished', eventTime: now } as const
    await api.createDeploymentEvent({ body: { ...environmentKeys, ...later, pullRequestIds: ['p2'] } }, admin)
    const sorted = { environmentKey: 'production', sort: '-leadTime' }
    const page = async (query: object) => {
      const { items, totalCount, _links } = await list({ ...sorted, ...query })
      const cursor = (name: 'next' | 'prev') => new URLSearchParams(_links[name]?.href.split('?')[1])
      return {
        ids: items.map(({ externalId }) => externalId),
        hours: items.map(({ leadTime = 0 }) => leadTime / hour),
        totalCount,
        next: cursor('next').get('after'),
        prev: cursor('prev').get('before'),
      }
    }
    const fullPage = await page({})
    expect([fullPage.ids, fullPage.hours]).toEqual([
      ['p2', 'p4', 'p0', 'p1', 'p3', 'p5'],
      [10, 7, 5, 3, 3, 0],
    ])
    expect(fullPage.totalCount).toBe(6)
    expect((await page({ sort: 'leadTime' })).ids).toEqual(['p5', 'p1', 'p3', 'p0', 'p4', 'p2'])
    expect(await page({ applicationKey: ['shop'] })).toMatchObject({ ids: ['p2', 'p4', 'p0'], hours: [9, 7, 5] })
    for (const sort of ['leadTime', '-leadTime']) {
      const order = (await page({ sort })).ids
      const visitedIds: string[][] = []
      let currentPage = await page({ sort, limit: 2 })
      for (visitedIds.push(currentPage.ids); currentPage.next; visitedIds.push(currentPage.ids))
        currentPage = await page({ sort, limit: 2, after: currentPage.next })
      expect(visitedIds.flat()).toEqual(order)
      currentPage = await page({ sort, limit: 2, before: currentPage.prev })
      expect(currentPage.ids).toEqual(order.slice(2, 4))
      currentPage = await page({ sort, limit: 2, before: currentPage.prev })
      expect([currentPage.ids, currentPage.prev]).toEqual([order.slice(0, 2), null])
    }
    const errorsOf = (query: object) => list(query).then(String, ({ errors }) => errors)
    expect(await errorsOf({ sort: 'leadTime' })).toEqual([
      { attribute: 'environmentKey', reason: 'must be present to sort by leadTime' },
    ])
    expect(await errorsOf({ ...sorted, applicationKey: ['shop', 'api'] })).toEqual([
      { attribute: 'applicationKey', reason: 'must contain at most 1 application to sort by leadTime' },
    ])
    expect(await errorsOf({ ...sorted, sort: 'title' })).toEqual([
      { attribute: 'sort', reason: 'must be one of leadTime, -leadTime' },
    ])
  })

  it('with a validation error is reported by its index, and nothing is written', async () => {
    const { mergedAt, ...unmerged } = pullRequest
    await expect(report(pullRequest, unmerged)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [
        { attribute: 'pullRequests.1.mergedAt', reason: 'must be present when the state is merged, and only then' },
      ],
    })
    expect((await list()).totalCount).toBe(0)
  })
})

it('a commit without a pull request is a change from its authoring to its deployment', async () => {
  await deploy({ commitIds: ['c'] })
  const commits = [{ externalId: 'c', authoredAt: now - 6 * hour, committedAt: now - 4 * hour }]
  await api.createCommits({ body: { projectKey: 'web', commits } }, admin)
  expect(await stages()).toEqual({ coding: 2, review: 0, wait: 2, deploy: 1, total: 5 })
})

it('insight repositories are those of pull requests, and those that are associated with a project', async () => {
  await report(pullRequest)
  const mappings = [{ repositoryKey: 'octo/api', projectKey: 'web' }]
  await api.associateRepositoriesAndProjects({ body: { mappings } }, admin)
  const keys = async () => (await api.listInsightRepositories({}, admin)).items.map(({ key }) => key)
  expect(await keys()).toEqual(['octo/api', 'octo/shop'])
  await api.deleteRepositoryProject({ repositoryKey: 'octo/shop', projectKey: 'web' }, admin)
  expect(await keys()).toEqual(['octo/api'])
})

it('an application is created by its first event, and keeps a later name', async () => {
  await deploy({})
  const shop = { ...environmentKeys, applicationKey: 'shop' }
  await api.patchApplication({ ...shop, body: [{ op: 'replace', path: '/name', value: 'The shop' }] }, admin)
  await deploy({})
  expect((await api.listApplications(environmentKeys, admin)).items.map(({ key, name }) => [key, name])).toEqual([
    ['shop', 'The shop'],
  ])
  await api.deleteApplication(shop, admin)
  await deploy({})
  expect((await api.getApplication(shop, admin)).name).toBe('shop')
})

it('pull requests are accepted without the right to associate their repository, which is then not associated', async () => {
  const reporter = {
    as: {
      policy: [
        { effect: 'allow', actions: ['createPullRequest'], resources: ['proj/*:pull-request/*'] },
        { effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] },
      ],
    },
  } as const
  const body = { projectKey: 'web', pullRequests: [pullRequest] as never }
  expect(await api.createPullRequests({ body }, reporter as never)).toMatchObject({ accepted: 1, added: 1 })
  const keys = async () => (await api.listInsightRepositories({}, admin)).items.map(({ key }) => key)
  const associations = async () =>
    (await api.listChangeLog({ action: 'associateRepository' }, admin)).items.map(({ description }) => description)
  expect([await keys(), await associations()]).toEqual([[], []])
  for (let i = 0; i < 2; i++) await report(pullRequest)
  expect(await keys()).toEqual(['octo/shop'])
  expect(await associations()).toHaveLength(1)
})
