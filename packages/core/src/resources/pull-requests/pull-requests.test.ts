import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeEach, describe, expect, it } from 'vitest'
import { createEngine, type Engine } from '../../index.ts'

const hour = 3_600_000
const now = Date.UTC(2028, 1, 29)
const admin = { as: { role: 'admin' } } as const
const place = { projectKey: 'web', environmentKey: 'production' }

let api: Engine['api']

beforeEach(async () => {
  ;({ api } = createEngine({ storage: createMemoryStorage(), clock: () => now }))
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

const tell = (...pullRequests: object[]) =>
  api.createPullRequests({ body: { projectKey: 'web', pullRequests: pullRequests as never } }, admin)

const deploy = (brought: { pullRequestIds?: string[]; commitIds?: string[] }) => {
  const event = { applicationKey: 'shop', version: '1.0.0' }
  const events = [
    { ...event, eventType: 'finished', eventTime: now - hour, ...brought },
    { ...event, eventType: 'started', eventTime: now - 2 * hour },
  ] as const
  return api.createDeploymentEvents({ body: { ...place, events } }, admin)
}

/** Sums of each stage, in hours, as the chart of the last day tells. */
async function stages() {
  const range = { from: now - 24 * hour, to: now, bucketMs: 24 * hour }
  const { metadata } = await api.getLeadTimeChart({ ...place, ...range }, admin)
  const { percentileError, ...figures } = metadata.summary
  return Object.fromEntries(Object.entries(figures).map(([name, { count, mean }]) => [name, (count * mean) / hour]))
}

const list = (query: object = {}) => api.listPullRequests({ projectKey: 'web', ...query }, admin)

describe('a pull request', () => {
  // First commit 8 h ago, opened 5 h ago, merged 3 h ago, deployed from 2 h ago to 1 h ago.
  const expected = { coding: 3, review: 2, wait: 1, deploy: 1, total: 7 }

  it('is a lead time once it is deployed, by its id', async () => {
    await tell(pullRequest)
    await deploy({ pullRequestIds: [pullRequest.externalId] })
    expect(await stages()).toEqual(expected)
  })

  it('is one as well when its deployment was told of first, by one of its commits', async () => {
    await deploy({ commitIds: ['b', 'a'] })
    expect((await list()).totalCount).toBe(0)
    await tell(pullRequest)
    expect(await stages()).toEqual(expected)
    const [shown] = (await list({ status: 'deployed', expand: ['deployments'] })).items
    expect(shown).toMatchObject({
      status: 'deployed',
      leadTime: 7 * hour,
      numberOfCommits: 2,
      deployments: [{ applicationKey: 'shop', applicationVersion: '1.0.0', leadTime: 7 * hour }],
    })
  })

  it('told again is known; of two tellings the later counts, whichever comes first', async () => {
    expect(await tell(pullRequest)).toEqual({ accepted: 1, added: 1, known: 0 })
    expect(await tell(pullRequest)).toEqual({ accepted: 1, added: 0, known: 1 })
    const { mergedAt, ...before } = pullRequest
    const older = { ...before, title: 'Draft', state: 'open', updatedAt: now - 4 * hour }
    expect(await tell(older)).toEqual({ accepted: 1, added: 0, known: 1 })
    expect((await list()).items[0]).toMatchObject({ title: 'Faster', status: 'merged' })
    expect(await tell({ ...pullRequest, title: 'Fastest', updatedAt: now })).toMatchObject({ added: 1 })
    expect((await list()).items[0]?.title).toBe('Fastest')
  })

  it('is found by status, place, repository and words, page by page', async () => {
    const open = { externalId: 'octo/api#1', title: 'Slower', state: 'open', openedAt: now - hour }
    await tell(pullRequest, open, { ...open, externalId: 'octo/api#2' })
    await deploy({ pullRequestIds: [pullRequest.externalId] })
    const ids = async (query: object) => (await list(query)).items.map((one) => one.externalId)
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

  it('that is at fault is named by its index, and nothing of the call is written', async () => {
    const { mergedAt, ...unmerged } = pullRequest
    await expect(tell(pullRequest, unmerged)).rejects.toMatchObject({
      code: 'invalid_request',
      errors: [{ attribute: 'pullRequests.1.mergedAt', reason: 'must be there when merged, and only then' }],
    })
    expect((await list()).totalCount).toBe(0)
  })
})

it('a commit by itself is a change from authored to deployed', async () => {
  await deploy({ commitIds: ['c'] })
  const commits = [{ externalId: 'c', authoredAt: now - 6 * hour, committedAt: now - 4 * hour }]
  await api.createCommits({ body: { projectKey: 'web', commits } }, admin)
  expect(await stages()).toEqual({ coding: 2, review: 0, wait: 2, deploy: 1, total: 5 })
})

it('repositories are those of pull requests, and those that somebody associates', async () => {
  await tell(pullRequest)
  const mappings = [{ repositoryKey: 'octo/api', projectKey: 'web' }]
  await api.associateRepositoriesAndProjects({ body: { mappings } }, admin)
  const keys = async () => (await api.listInsightRepositories({}, admin)).items.map(({ key }) => key)
  expect(await keys()).toEqual(['octo/api', 'octo/shop'])
  await api.deleteRepositoryProject({ repositoryKey: 'octo/shop', projectKey: 'web' }, admin)
  expect(await keys()).toEqual(['octo/api'])
})

it('flag events are those that were told and the changes of flags, newest first', async () => {
  await api.createFlag({ projectKey: 'web', body: { key: 'f', name: 'F' } }, admin)
  const on = (value: boolean) => [{ op: 'replace', path: '/environments/production/on', value }]
  await api.patchFlag({ projectKey: 'web', featureFlagKey: 'f', body: on(true) }, admin)
  const told = { flagKey: 'g', eventType: 'experimentStarted', hasExperiments: true }
  const events = [
    { ...told, externalId: 'e1', eventTime: now - hour },
    { ...told, externalId: 'e2', eventTime: now + hour },
  ]
  const feed = () => api.createFlagEvents({ body: { ...place, events } }, admin)
  expect(await feed()).toEqual({ accepted: 2, added: 2, known: 0 })
  expect(await feed()).toEqual({ accepted: 2, added: 0, known: 2 })
  const types = async (query: object = {}) =>
    (await api.listFlagEvents({ ...place, ...query }, admin)).items.map((one) => `${one.source} ${one.eventType}`)
  const [e, c] = ['events experimentStarted', 'changes turnedOn']
  expect(await types()).toEqual([e, c, e])
  expect(await types({ flagKey: 'f' })).toEqual([c])
  expect(await types({ source: 'events', to: now })).toEqual([e])
  const first = await api.listFlagEvents({ ...place, limit: 2 }, admin)
  const after = new URLSearchParams(first._links.next?.href.split('?')[1]).get('after') ?? ''
  expect(await types({ after })).toEqual([e])
})

it('an application is made by its first event, and keeps the name that it is given', async () => {
  await deploy({})
  const shop = { ...place, applicationKey: 'shop' }
  await api.patchApplication({ ...shop, body: [{ op: 'replace', path: '/name', value: 'The shop' }] }, admin)
  await deploy({})
  expect((await api.listApplications(place, admin)).items.map(({ key, name }) => [key, name])).toEqual([
    ['shop', 'The shop'],
  ])
  await api.deleteApplication(shop, admin)
  await deploy({})
  expect((await api.getApplication(shop, admin)).name).toBe('shop')
})

it('are told without the right to associate their repository, which then stays unassociated', async () => {
  const feeder = {
    as: {
      policy: [
        { effect: 'allow', actions: ['createPullRequest'], resources: ['proj/*:pull-request/*'] },
        { effect: 'allow', actions: ['viewProject'], resources: ['proj/*'] },
      ],
    },
  } as const
  const body = { projectKey: 'web', pullRequests: [pullRequest] as never }
  expect(await api.createPullRequests({ body }, feeder as never)).toMatchObject({ accepted: 1, added: 1 })
  const keys = async () => (await api.listInsightRepositories({}, admin)).items.map(({ key }) => key)
  const associations = async () =>
    (await api.listChangeLog({ action: 'associateRepository' }, admin)).items.map(({ description }) => description)
  expect([await keys(), await associations()]).toEqual([[], []])
  for (let i = 0; i < 2; i++) await tell(pullRequest)
  expect(await keys()).toEqual(['octo/shop'])
  expect(await associations()).toHaveLength(1)
})
