import { createEngine } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'

const hour = 3_600_000
const mergedAt = Date.UTC(2026, 0, 5, 12)

await using engine = createEngine({ storage: createMemoryStorage(), clock: () => mergedAt + 24 * hour })
await engine.migrate()
const as = { as: { role: 'admin' } } as const
await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, as)
const environment = { projectKey: 'web', environmentKey: 'production' }

// #region deployments
const deployment = { applicationKey: 'shop', version: '1.4.0' }
const events = [
  { ...deployment, eventType: 'finished', eventTime: mergedAt + 2 * hour, commitIds: ['4f2c'] },
  { ...deployment, eventType: 'started', eventTime: mergedAt + hour },
] as const
const firstResult = await engine.api.createDeploymentEvents({ body: { ...environment, events } }, as)
const secondResult = await engine.api.createDeploymentEvents({ body: { ...environment, events } }, as)
console.log(firstResult, secondResult)
// #endregion

// #region pull-requests
const pullRequests = [
  {
    externalId: 'octo/shop#12',
    repositoryKey: 'octo/shop',
    title: 'Faster checkout',
    state: 'merged',
    openedAt: mergedAt - 3 * hour,
    mergedAt,
    mergeCommitId: '4f2c',
    commits: [{ externalId: '91aa', authoredAt: mergedAt - 8 * hour }],
  },
] as const
await engine.api.createPullRequests({ body: { projectKey: 'web', pullRequests } }, as)

const { items } = await engine.api.listPullRequests({ projectKey: 'web', status: 'deployed' }, as)
console.log(items.map(({ externalId, leadTime = 0 }) => [externalId, leadTime / hour]))
// #endregion

// #region chart
await engine.compact()
const range = { from: mergedAt - 24 * hour, to: mergedAt + 24 * hour, bucketType: 'day' } as const
const chart = await engine.api.getLeadTimeChart({ ...environment, ...range, expand: ['percentiles'] }, as)
const { percentileError, coding, review, wait, deploy } = chart.metadata.summary
console.log(
  [coding, review, wait, deploy].map(({ mean }) => mean / hour),
  { percentileError },
)
// #endregion

// #region scores
const { scores } = await engine.api.getInsightsScores(environment, as)
console.log(scores.leadTime.score, scores.leadTime.indicator)
// #endregion
