import { type BucketQuestion, type Buckets, bucketsOf, cutIntoBuckets, hasTimeIn } from './buckets.ts'
import { type Figures, figuresOf } from './figures.ts'
import { type LeadTimeSamples, onlyApplications, splitByApplication, type TotalSamples } from './samples.ts'
import { collectDurations, columnsOf, type Stage, type StageColumns, stages } from './stages.ts'
import { type LeadTimeTier, leadTimeTier } from './tier.ts'

export interface LeadTimeQuestion extends BucketQuestion {
  readonly groupBy: 'application' | 'stage'
  /** Whether points and summary have percentiles beside the mean. */
  readonly percentiles: boolean
  /** Only these applications; undefined means all. */
  readonly applications?: readonly string[]
}

export interface LeadTimeChart {
  /** By stage in the order of `stages`, or by application in code-point order. */
  readonly series: readonly LeadTimeSeries[]
  /** Figures of each stage over the whole range, however the series are grouped. */
  readonly summary: { readonly [stage in Stage]: Figures }
  /** Of the mean total lead time. */
  readonly tier: LeadTimeTier
}

export interface LeadTimeSeries {
  /** A stage, or the key of an application whose total lead times these are. */
  readonly name: string
  /** How many durations there are in all points. */
  readonly count: number
  /** One per bucket, in order of time, also where there is nothing. */
  readonly points: readonly LeadTimePoint[]
}

export interface LeadTimePoint {
  /** Start of the bucket, ms. */
  readonly x: number
  /** Mean, ms; 0 when `values.count` is. */
  readonly y: number
  /** `count`, and with percentiles `p50`, `p75`, `p90`, `p95`, `p99` in ms. */
  readonly values: Omit<Figures, 'mean'>
}

/**
 * Computes the lead-time chart (spec.md "Lead-time chart", D25).
 *
 * A sample belongs to the bucket of its deployment, if that is in the range. A stage whose ends are missing or out
 * of order is left out of that stage only. What was asked for is always there, also when it is empty: all five
 * stages, or all applications that the question names; when it names none, those with a sample in the range.
 *
 * @param samples in order of time; those outside of the range do not count.
 */
export function leadTimeChart(samples: LeadTimeSamples, question: LeadTimeQuestion): LeadTimeChart {
  const { applications, groupBy, percentiles } = question
  const asked = applications ? onlyApplications(samples, applications) : samples
  const axis: Axis = { question, buckets: bucketsOf(question), room: new Float64Array(asked.at.length) }
  const series: LeadTimeSeries[] = []
  const figures = stages.map((stage) => {
    const measured = measure(asked.at, columnsOf(stage, asked), axis)
    if (groupBy === 'stage') series.push(seriesOf(stage, measured, axis))
    return [stage, figuresOf(measured.durations, percentiles)] as const
  })
  if (groupBy === 'application') series.push(...applicationSeries(asked, axis))
  const summary = Object.fromEntries(figures) as LeadTimeChart['summary']
  return { series, summary, tier: leadTimeTier(summary.total) }
}

interface Axis {
  readonly question: LeadTimeQuestion
  readonly buckets: Buckets
  /** Where durations are written, again for each series: fresh memory would cost as much as the arithmetic. */
  readonly room: Float64Array
}

/** Durations behind one another, bucket after bucket; those of bucket i end before `ends[i]`. Valid until the next. */
interface Measured {
  readonly durations: Float64Array
  readonly ends: Uint32Array
}

function measure(at: Float64Array, columns: StageColumns, { question, buckets, room }: Axis): Measured {
  const cuts = cutIntoBuckets(at, question, buckets)
  const ends = new Uint32Array(buckets.count)
  let size = 0
  for (let i = 0; i < buckets.count; i++) {
    size = collectDurations(columns, cuts[i]!, cuts[i + 1]!, room, size)
    ends[i] = size
  }
  return { durations: room.subarray(0, size), ends }
}

function seriesOf(name: string, { durations, ends }: Measured, { question, buckets }: Axis): LeadTimeSeries {
  const points = Array.from(ends, (end, i) => {
    const { mean, ...values } = figuresOf(durations.subarray(i === 0 ? 0 : ends[i - 1], end), question.percentiles)
    return { x: buckets.start + i * buckets.width, y: mean, values }
  })
  return { name, count: durations.length, points }
}

function applicationSeries(samples: LeadTimeSamples, axis: Axis): LeadTimeSeries[] {
  const { from, to, applications } = axis.question
  const parts = new Map(splitByApplication(samples).map((part, i) => [samples.labels[i]!, part]))
  const present = samples.labels.filter((label) => hasTimeIn(parts.get(label)!.at, from, to))
  // Keys are ASCII (D8), so the order of UTF-16 units, which `sort` takes, is that of code points.
  return [...new Set(applications ?? present)].sort().map((name) => {
    const { at, startedAt } = parts.get(name) ?? noSamples
    return seriesOf(name, measure(at, { start: startedAt, end: at, otherwise: at }, axis), axis)
  })
}

const noSamples: TotalSamples = { at: new Float64Array(0), startedAt: new Float64Array(0) }
