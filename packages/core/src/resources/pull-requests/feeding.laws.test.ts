import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CallInput } from '../../entries/operations.ts'
import { createEngine, type Engine } from '../../index.ts'
import type { createDeploymentEvents } from '../deployments/create-deployment-events.ts'
import type { createCommits } from './create-commits.ts'
import type { createPullRequests } from './create-pull-requests.ts'

const place = { projectKey: 'web', environmentKey: 'production' }
const as = { as: { role: 'admin' } } as const
const now = Date.UTC(2028, 1, 29)
const minute = 60_000

type Event = CallInput<typeof createDeploymentEvents>['body']['events'][number]
type PullRequest = CallInput<typeof createPullRequests>['body']['pullRequests'][number]
type Commit = CallInput<typeof createCommits>['body']['commits'][number]

/** A report of an external system. */
type Telling =
  | { readonly tells: 'event'; readonly event: Event }
  | { readonly tells: 'pull request'; readonly pullRequest: PullRequest }
  | { readonly tells: 'commit'; readonly commit: Commit }

const at = fc.integer({ min: 0, max: 30 }).map((minutes) => now - minutes * minute)

const event = fc
  .record({
    applicationKey: fc.constantFrom('shop', 'shop', 'api'),
    version: fc.constantFrom('1', '1', '2'),
    eventType: fc.constantFrom('started', 'started', 'finished', 'finished', 'failed', 'custom'),
    eventTime: at,
    versionName: fc.option(fc.constantFrom('One', 'Two'), { nil: undefined }),
    deploymentMetadata: fc.option(fc.record({ build: fc.nat(3) }), { nil: undefined }),
    ids: fc.subarray(['p1', 'p2']),
    commits: fc.subarray(['c1', 'c2', 'c3']),
    inline: fc.subarray(['p2', 'p3']),
  })
  .map(({ ids, commits, inline, ...told }): Telling => {
    const pullRequests = inline.map((externalId) => ({
      externalId,
      startedAt: now - 80 * minute,
      mergedAt: now - 35 * minute,
    }))
    const brought = told.eventType === 'finished' ? { pullRequestIds: ids, commitIds: commits, pullRequests } : {}
    return { tells: 'event', event: { ...told, ...brought } as Event }
  })

const pullRequest = fc
  .record({
    externalId: fc.constantFrom('p1', 'p2'),
    title: fc.constantFrom('A', 'B'),
    openedAt: at,
    merged: fc.boolean(),
    updatedAt: at,
    commits: fc.subarray(['c1', 'c2']),
  })
  .map(({ merged, commits, ...told }): Telling => {
    const outcome = merged ? { state: 'merged' as const, mergedAt: now - 20 * minute } : { state: 'open' as const }
    const its = commits.map((externalId) => ({ externalId, authoredAt: now - 90 * minute }))
    return { tells: 'pull request', pullRequest: { ...told, ...outcome, commits: its } }
  })

const commit = fc
  .record({
    externalId: fc.constantFrom('c1', 'c2', 'c3'),
    pullRequestId: fc.option(fc.constantFrom('p1', 'p2'), { nil: undefined }),
    authoredAt: at,
  })
  .map((told): Telling => ({ tells: 'commit', commit: told }))

const tellings = fc.array(fc.oneof({ arbitrary: event, weight: 3 }, pullRequest, commit), {
  minLength: 1,
  maxLength: 10,
})

/** Returns the lead times of the last day in all buckets, by application and by stage. */
async function leadTimes({ api }: Engine) {
  const range = { from: now - 60 * minute, to: now + 1, bucketMs: 7 * minute, groupBy: 'application' } as const
  const byApplication = await api.getLeadTimeChart({ ...place, ...range }, as)
  const byStage = await api.getLeadTimeChart({ ...place, ...range, groupBy: 'stage' }, as)
  return [byApplication.metadata.summary, byApplication.series, byStage.metadata.summary, byStage.series]
}

/**
 * Sends the reports in calls of a given size, and returns the resulting state.
 *
 * @param compacting summarizes days after each call, as if they had ended: later reports must still count.
 */
async function known(told: readonly Telling[], size: number, compacting = false) {
  let present = now
  const engine = createEngine({ storage: createMemoryStorage(), clock: () => present })
  const compact = async () => {
    present = now + 1440 * minute
    await engine.compact()
    present = now
  }
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
  const { api } = engine
  for (let i = 0; i < told.length; i += size) {
    const some = told.slice(i, i + size)
    const events = some.flatMap((one) => (one.tells === 'event' ? [one.event] : []))
    const pullRequests = some.flatMap((one) => (one.tells === 'pull request' ? [one.pullRequest] : []))
    const commits = some.flatMap((one) => (one.tells === 'commit' ? [one.commit] : []))
    if (events.length > 0) await api.createDeploymentEvents({ body: { ...place, events } }, as)
    if (pullRequests.length > 0) await api.createPullRequests({ body: { projectKey: 'web', pullRequests } }, as)
    if (commits.length > 0) await api.createCommits({ body: { projectKey: 'web', commits } }, as)
    if (compacting) await compact()
  }
  const deployments = await api.listDeployments(place, as)
  const pullRequests = await api.listPullRequests({ projectKey: 'web', expand: ['deployments'] }, as)
  const applications = await api.listApplications(place, as)
  return {
    leadTimes: await leadTimes(engine),
    deployments: deployments.items,
    pullRequests: pullRequests.items,
    applications: applications.items.map(({ key }) => key),
  }
}

describe('reports of external systems', () => {
  it('have the same result for any order, any number of calls and repetitions', async () => {
    const orders = tellings.chain((list) =>
      fc.tuple(
        fc.constant(list),
        fc.shuffledSubarray([...list, ...list.slice(0, 3)], { minLength: list.length + Math.min(3, list.length) }),
        fc.integer({ min: 1, max: 14 }),
        fc.boolean(),
      ),
    )
    await fc.assert(
      fc.asyncProperty(orders, async ([list, shuffled, size, compacting]) => {
        expect(await known(shuffled, size, compacting)).toEqual(await known(list, list.length))
      }),
      { numRuns: 150 },
    )
  })
})
