import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const hour = 3_600_000
const merged = Date.UTC(2026, 0, 5, 12)

await using engine = createEngine({ storage: createMemoryStorage(), clock: () => merged + 24 * hour })
await engine.migrate()
const as = { as: { role: 'admin' } } as const
await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
const place = { projectKey: 'web', environmentKey: 'production' }

// #region deployments
const deployment = { applicationKey: 'shop', version: '1.4.0' }
const events = [
  { ...deployment, eventType: 'finished', eventTime: merged + 2 * hour, commitIds: ['4f2c'] },
  { ...deployment, eventType: 'started', eventTime: merged + hour },
] as const
const told = await engine.api.createDeploymentEvents({ body: { ...place, events } }, as)
const again = await engine.api.createDeploymentEvents({ body: { ...place, events } }, as)
console.log(told, again)
// #endregion

// #region pull-requests
const pullRequests = [
  {
    externalId: 'octo/shop#12',
    repositoryKey: 'octo/shop',
    title: 'Faster checkout',
    state: 'merged',
    openedAt: merged - 3 * hour,
    mergedAt: merged,
    mergeCommitId: '4f2c',
    commits: [{ externalId: '91aa', authoredAt: merged - 8 * hour }],
  },
] as const
await engine.api.createPullRequests({ body: { projectKey: 'web', pullRequests } }, as)

const { items } = await engine.api.listPullRequests({ projectKey: 'web', status: 'deployed' }, as)
console.log(items.map(({ externalId, leadTime = 0 }) => [externalId, leadTime / hour]))
// #endregion

// #region chart
await engine.compact()
const range = { from: merged - 24 * hour, to: merged + 24 * hour, bucketType: 'day' } as const
const chart = await engine.api.getLeadTimeChart({ ...place, ...range, expand: ['percentiles'] }, as)
const { percentileError, coding, review, wait, deploy } = chart.metadata.summary
console.log(
  [coding, review, wait, deploy].map(({ mean }) => mean / hour),
  { percentileError },
)
// #endregion

// #region scores
const { scores } = await engine.api.getInsightsScores(place, as)
console.log(scores.leadTime.score, scores.leadTime.indicator)
// #endregion
