import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CallInput } from '../../entries/operations.ts'
import { createEngine, type Engine } from '../../index.ts'
import type { createDeploymentEvents } from '../deployments/create-deployment-events.ts'
import type { createCommits } from './create-commits.ts'
import type { createPullRequests } from './create-pull-requests.ts'

const environmentKeys = { projectKey: 'web', environmentKey: 'production' }
const as = { as: { role: 'admin' } } as const
const now = Date.UTC(2028, 1, 29)
const minute = 60_000

type Event = CallInput<typeof createDeploymentEvents>['body']['events'][number]
type PullRequest = CallInput<typeof createPullRequests>['body']['pullRequests'][number]
type Commit = CallInput<typeof createCommits>['body']['commits'][number]

/** A report of an external system. */
type Report =
  | { readonly kind: 'event'; readonly event: Event }
  | { readonly kind: 'pull request'; readonly pullRequest: PullRequest }
  | { readonly kind: 'commit'; readonly commit: Commit }

const timeArbitrary = fc.integer({ min: 0, max: 30 }).map((minutes) => now - minutes * minute)

const event = fc
  .record({
    applicationKey: fc.constantFrom('shop', 'shop', 'api'),
    version: fc.constantFrom('1', '1', '2'),
    eventType: fc.constantFrom('started', 'started', 'finished', 'finished', 'failed', 'custom'),
    eventTime: timeArbitrary,
    versionName: fc.option(fc.constantFrom('One', 'Two'), { nil: undefined }),
    deploymentMetadata: fc.option(fc.record({ build: fc.nat(3) }), { nil: undefined }),
    ids: fc.subarray(['p1', 'p2']),
    commits: fc.subarray(['c1', 'c2', 'c3']),
    inline: fc.subarray(['p2', 'p3']),
  })
  .map(({ ids, commits, inline, ...properties }): Report => {
    const pullRequests = inline.map((externalId) => ({
      externalId,
      startedAt: now - 80 * minute,
      mergedAt: now - 35 * minute,
    }))
    const changes = properties.eventType === 'finished' ? { pullRequestIds: ids, commitIds: commits, pullRequests } : {}
    return { kind: 'event', event: { ...properties, ...changes } as Event }
  })

const pullRequest = fc
  .record({
    externalId: fc.constantFrom('p1', 'p2'),
    title: fc.constantFrom('A', 'B'),
    openedAt: timeArbitrary,
    merged: fc.boolean(),
    updatedAt: timeArbitrary,
    commits: fc.subarray(['c1', 'c2']),
  })
  .map(({ merged, commits, ...properties }): Report => {
    const outcome = merged ? { state: 'merged' as const, mergedAt: now - 20 * minute } : { state: 'open' as const }
    const ownCommits = commits.map((externalId) => ({ externalId, authoredAt: now - 90 * minute }))
    return { kind: 'pull request', pullRequest: { ...properties, ...outcome, commits: ownCommits } }
  })

const commit = fc
  .record({
    externalId: fc.constantFrom('c1', 'c2', 'c3'),
    pullRequestId: fc.option(fc.constantFrom('p1', 'p2'), { nil: undefined }),
    authoredAt: timeArbitrary,
  })
  .map((properties): Report => ({ kind: 'commit', commit: properties }))

const reportLists = fc.array(fc.oneof({ arbitrary: event, weight: 3 }, pullRequest, commit), {
  minLength: 1,
  maxLength: 10,
})

/** Returns the lead times of the last day in all buckets, by application and by stage. */
async function leadTimes({ api }: Engine) {
  const range = { from: now - 60 * minute, to: now + 1, bucketMs: 7 * minute, groupBy: 'application' } as const
  const byApplication = await api.getLeadTimeChart({ ...environmentKeys, ...range }, as)
  const byStage = await api.getLeadTimeChart({ ...environmentKeys, ...range, groupBy: 'stage' }, as)
  return [byApplication.metadata.summary, byApplication.series, byStage.metadata.summary, byStage.series]
}

/**
 * Sends the reports in calls of a given size, and returns the resulting state.
 *
 * @param compacting summarizes days after each call, as if they had ended: later reports must still count.
 */
async function stateAfter(properties: readonly Report[], size: number, compacting = false) {
  let currentTime = now
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => currentTime })
  const compact = async () => {
    currentTime = now + 1440 * minute
    await engine.compact()
    currentTime = now
  }
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
  const { api } = engine
  for (let i = 0; i < properties.length; i += size) {
    const batch = properties.slice(i, i + size)
    const events = batch.flatMap((report) => (report.kind === 'event' ? [report.event] : []))
    const pullRequests = batch.flatMap((report) => (report.kind === 'pull request' ? [report.pullRequest] : []))
    const commits = batch.flatMap((report) => (report.kind === 'commit' ? [report.commit] : []))
    if (events.length > 0) await api.createDeploymentEvents({ body: { ...environmentKeys, events } }, as)
    if (pullRequests.length > 0) await api.createPullRequests({ body: { projectKey: 'web', pullRequests } }, as)
    if (commits.length > 0) await api.createCommits({ body: { projectKey: 'web', commits } }, as)
    if (compacting) await compact()
  }
  const deployments = await api.listDeployments(environmentKeys, as)
  const pullRequests = await api.listPullRequests({ projectKey: 'web', expand: ['deployments'] }, as)
  const applications = await api.listApplications(environmentKeys, as)
  return {
    leadTimes: await leadTimes(engine),
    deployments: deployments.items,
    pullRequests: pullRequests.items,
    applications: applications.items.map(({ key }) => key),
  }
}

describe('reports of external systems', () => {
  it('have the same result for any order, any number of calls and repetitions', async () => {
    const orders = reportLists.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray([...list, ...list.slice(0, 3)], { minLength: list.length + Math.min(3, list.length) }),
        fc.integer({ min: 1, max: 14 }),
        fc.boolean(),
      ),
    )
    await fc.assert(
      fc.asyncProperty(orders, async ([list, shuffled, size, compacting]) => {
        expect(await stateAfter(shuffled, size, compacting)).toEqual(await stateAfter(list, list.length))
      }),
      { numRuns: process.env.HALYARD_LONG_TESTS ? 300 : 60 },
    )
  })
})
