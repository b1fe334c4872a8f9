import type { ChartResponse } from '../chart/chart-response.ts'
import { callApi, hasStatus, listAll } from './call-api.ts'
import type { Scores } from './score-text.ts'
import type { ScoredGroup } from './show-scores.ts'
import { bucketsOf, rangeOf, type View } from './view.ts'

const insights = 'engineering-insights'

export interface Insights {
  readonly leadTime: ChartResponse
  /** Undefined when the API does not have this chart. */
  readonly frequency: ChartResponse | undefined
  readonly scores: Scores
  readonly groups: readonly ScoredGroup[]
  /** Keys of the applications that were deployed in the range. */
  readonly applications: readonly string[]
}

/** Reads everything that a view shows, concurrently. */
export async function readInsights(view: View, now: number): Promise<Insights> {
  const environmentParams = { projectKey: view.project, environmentKey: view.environment }
  const { from, to } = rangeOf(view, now)
  const range = { ...environmentParams, from: String(from), to: String(to) }
  const applicationFilter: Record<string, string> = view.application === '' ? {} : { applicationKey: view.application }
  const chart = { ...range, ...applicationFilter, ...bucketsOf(view) }
  const [leadTime, frequency, { scores }, groups, applications] = await Promise.all([
    callApi<ChartResponse>(`${insights}/charts/lead-time`, {
      ...chart,
      groupBy: view.group,
      expand: 'metrics,percentiles',
    }),
    callApi<ChartResponse>(`${insights}/charts/deployments/frequency`, { ...chart, groupBy: 'application' }).catch(
      (error) => (hasStatus(error, 404) ? undefined : Promise.reject(error)),
    ),
    callApi<{ scores: Scores }>(`${insights}/insights/scores`, environmentParams),
    readGroups(view.project),
    readApplications(range, to - from),
  ])
  return { leadTime, frequency, scores, groups, applications }
}

async function readGroups(project: string): Promise<ScoredGroup[]> {
  type Group = ScoredGroup & { readonly projectKey: string }
  const groups = await listAll<Group>(`${insights}/insights/groups`, { expand: 'scores' }, 20)
  return groups.filter(({ projectKey, scores }) => projectKey === project && scores)
}

/**
 * Returns the keys of all applications with a deployment in the range. The request has one bucket as long as the range,
 * so each application occurs once.
 */
async function readApplications(range: Readonly<Record<string, string>>, bucketMs: number): Promise<string[]> {
  const query = { ...range, bucketMs: String(bucketMs), groupBy: 'application' }
  const { series } = await callApi<ChartResponse>(`${insights}/charts/lead-time`, query)
  return series.map(({ metadata }) => metadata.name)
}

/** Returns the time of the latest deployment, ms; undefined when there has been none. */
export async function readLatest({ project, environment }: View): Promise<number | undefined> {
  const query = { projectKey: project, environmentKey: environment, limit: '1' }
  const { items } = await callApi<{ items: { startedAt: string | number; endedAt?: string | number }[] }>(
    `${insights}/deployments`,
    query,
  )
  const [newest] = items
  if (!newest) return undefined
  const newestTime = newest.endedAt ?? newest.startedAt
  // Times are numbers, numbers in strings or dates, depending on the server's configuration.
  return Number.isNaN(Number(newestTime)) ? Date.parse(String(newestTime)) : Number(newestTime)
}
