import { type BucketQuestion, firstAtOrAfter } from '../lead-time/buckets.ts'
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
export interface DeploymentQuestion extends BucketQuestion {
  /** If omitted, there is one series. */
  readonly groupBy?: (typeof deploymentGroups)[number]
  /** Keys of applications to include; undefined for all. */
  readonly applications?: readonly string[]
  /** True if points also contain the numbers of failed and started deployments. */
  readonly metrics: boolean
}

const deploymentOutcomes = ['finished', 'failed', 'started'] as const

/**
 * Counts deployments (D25, D26): the chart shows the number of successful deployments in each bucket, by the time of
 * their success.
 *
 * A version that is deployed again and succeeds again counts again. The chart contains all requested series, even empty
 * ones: both kinds, or all applications of the query; if the query names none, those with an event in the range.
 *
 * @param events events with the columns of `deploymentColumns`, labeled by application.
 */
export function deploymentFrequencyChart(events: EventColumns, question: DeploymentQuestion): CountChart {
  const { names, groupOf } = groupsOf(events, question)
  const outcomes = deploymentOutcomes.length
  const counts = countEvents(events.at, question, names.length * outcomes, (event) => {
    const outcome = outcomeOf(events, event)
    const group = groupOf(event)
    return outcome < 0 || group < 0 ? -1 : group * outcomes + outcome
  })
  const series = names.map((name, group) => {
    const [finished, failed, started] = counts.slice(group * outcomes, (group + 1) * outcomes)
    const points = pointsAt(question, (bucket) => {
      const count = finished![bucket]!
      const more: CountPoint['values'] = question.metrics
        ? { finished: count, failed: failed![bucket]!, started: started![bucket]! }
        : {}
      return { y: count, values: { count, ...more } }
    })
    return { name, count: sumOf(finished!), points }
  })
  const totals = deploymentOutcomes.map((_, outcome) =>
    sumOf(counts.filter((_, i) => i % outcomes === outcome).map(sumOf)),
  )
  const [finished = 0, failed = 0, started = 0] = totals
  return { series, summary: { finished, failed, started, perDay: perDay(finished, question) } }
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

function groupsOf({ at, labels, label, values }: EventColumns, question: DeploymentQuestion): Groups {
  const { groupBy, applications, from, to } = question
  const wanted = labels.map((one) => applications?.includes(one) ?? true)
  if (groupBy === 'application') {
    const present = new Set<string>()
    for (let event = firstAtOrAfter(at, from, 0); event < at.length && at[event]! < to; event++) {
      present.add(labels[label[event]!]!)
    }
    // Keys are ASCII (D8), so the order of UTF-16 units, which `sort` uses, is the order of code points.
    const names = [...new Set(applications ?? present)].sort()
    const places = labels.map((one) => names.indexOf(one))
    return { names, groupOf: (event) => places[label[event]!]! }
  }
  const of = groupBy === 'kind' ? (event: number) => Number(values[deploymentColumns.again]![event] === 1) : () => 0
  const names = groupBy === 'kind' ? ['deployment', 'redeployment'] : ['deployments']
  return { names, groupOf: (event) => (wanted[label[event]!] ? of(event) : -1) }
}
