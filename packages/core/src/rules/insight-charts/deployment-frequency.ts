import { type BucketQuery, firstAtOrAfter } from '../lead-time/buckets.ts'
import { type CountChart, type CountPoint, countEvents, type EventColumns, pointsAt, sumOf } from './count-series.ts'
import { perDay } from './per-day.ts'

/** Indexes of the columns of deployment events. */
export const deploymentColumns = {
  /** 1 for a deployment that succeeded, 0 for one that failed. */
  end: 0,
  /** 1 for a deployment that started. */
  start: 1,
  /** 1 if the version had been deployed before and is deployed again. */
  again: 2,
} as const

export const deploymentGroups = ['application', 'kind'] as const

/** The range, buckets and grouping of a chart of deployments. */
export interface DeploymentQuery extends BucketQuery {
  /** Property by which deployments are divided into series. Default: one series. */
  readonly groupBy?: (typeof deploymentGroups)[number]
  /** Keys of applications to include; undefined for all. */
  readonly applications?: readonly string[]
  /** True if points also contain the numbers of failed and started deployments. */
  readonly metrics: boolean
}

const deploymentOutcomes = ['finished', 'failed', 'started'] as const

/**
 * Counts deployments (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time,
 * docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores): the chart shows the number of successful
 * deployments in each bucket, by the time of their success.
 *
 * A version that is deployed again and succeeds again counts again. The chart contains all requested series, even empty
 * ones: both kinds, or all applications of the query; if the query names no applications, those with an event in the
 * range.
 *
 * @param events events with the columns of `deploymentColumns`, labeled by application.
 */
export function deploymentFrequencyChart(events: EventColumns, query: DeploymentQuery): CountChart {
  const { names, groupOf } = groupsOf(events, query)
  const outcomes = deploymentOutcomes.length
  const counts = countEvents(events.at, query, names.length * outcomes, (event) => {
    const outcome = outcomeOf(events, event)
    const group = groupOf(event)
    return outcome < 0 || group < 0 ? -1 : group * outcomes + outcome
  })
  const series = names.map((name, group) => {
    const [finished, failed, started] = counts.slice(group * outcomes, (group + 1) * outcomes)
    const points = pointsAt(query, (bucket) => {
      const count = finished![bucket]!
      const metrics: CountPoint['values'] = query.metrics
        ? { finished: count, failed: failed![bucket]!, started: started![bucket]! }
        : {}
      return { y: count, values: { count, ...metrics } }
    })
    return { name, count: sumOf(finished!), points }
  })
  const totals = deploymentOutcomes.map((_, outcome) =>
    sumOf(counts.filter((_, i) => i % outcomes === outcome).map(sumOf)),
  )
  const [finished = 0, failed = 0, started = 0] = totals
  return { series, summary: { finished, failed, started, perDay: perDay(finished, query) } }
}

function outcomeOf({ values }: EventColumns, event: number): number {
  const end = values[deploymentColumns.end]![event]!
  if (end === 1) return 0
  if (end === 0) return 1
  return values[deploymentColumns.start]![event] === 1 ? 2 : -1
}

interface Groups {
  readonly names: readonly string[]
  /** Returns the index of the group of an event; -1 for none. */
  groupOf(event: number): number
}

function groupsOf({ at: times, labels, label, values }: EventColumns, query: DeploymentQuery): Groups {
  const { groupBy, applications, from, to } = query
  const isIncluded = labels.map((label) => applications?.includes(label) ?? true)
  if (groupBy === 'application') {
    const present = new Set<string>()
    for (let event = firstAtOrAfter(times, from, 0); event < times.length && times[event]! < to; event++) {
      present.add(labels[label[event]!]!)
    }
    // Keys are ASCII (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys), so the order of UTF-16 units,
    // which `sort` uses, is the order of code points.
    const names = [...new Set(applications ?? present)].sort()
    const groupIndexes = labels.map((label) => names.indexOf(label))
    return { names, groupOf: (event) => groupIndexes[label[event]!]! }
  }
  const kindOf = groupBy === 'kind' ? (event: number) => Number(values[deploymentColumns.again]![event] === 1) : () => 0
  const names = groupBy === 'kind' ? ['deployment', 'redeployment'] : ['deployments']
  return { names, groupOf: (event) => (isIncluded[label[event]!] ? kindOf(event) : -1) }
}
