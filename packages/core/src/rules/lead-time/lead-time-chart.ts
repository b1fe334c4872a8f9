import { type BucketedDurations, figuresOfBuckets } from './bucketed-durations.ts'
import { type BucketQuestion, type Buckets, bucketsOf, cutIntoBuckets, hasTimeIn } from './buckets.ts'
import { durationPool } from './duration-pool.ts'
import { binError, type DurationSummary } from './duration-summary.ts'
import type { Figures } from './figures.ts'
import { type LeadTimePart, stageSummary } from './lead-time-summary.ts'
import { type LeadTimeSamples, onlyApplications, splitByApplication, type TotalSamples } from './samples.ts'
import { collectDurations, columnsOf, type Stage, type StageColumns, stages } from './stages.ts'
import { type LeadTimeTier, leadTimeTier } from './tier.ts'

/** The range, buckets, grouping and applications of a chart of lead times. */
export interface LeadTimeQuestion extends BucketQuestion {
  readonly groupBy: 'application' | 'stage'
  /** True if points and summary contain percentiles besides the mean. */
  readonly percentiles: boolean
  /** Keys of applications to include; undefined for all. */
  readonly applications?: readonly string[]
}

/** Lead times by bucket, and over the whole range. */
export interface LeadTimeChart {
  /** By stage in the order of `stages`, or by application in code-point order. */
  readonly series: readonly LeadTimeSeries[]
  /** Statistics of each stage over the whole range, regardless of the grouping of the series. */
  readonly summary: { readonly [stage in Stage]: Figures }
  /** Tier of the mean total lead time. */
  readonly tier: LeadTimeTier
  /** Maximum relative error of the percentiles; 0 if they are exact. */
  readonly percentileError: number
}

/** One line of a chart: a stage or an application. */
export interface LeadTimeSeries {
  /** A stage, or the key of an application, whose total lead times the series contains. */
  readonly name: string
  /** Number of durations in all points. */
  readonly count: number
  /** One point per bucket in order of time, including empty buckets. */
  readonly points: readonly LeadTimePoint[]
}

/** The lead times of one bucket. */
export interface LeadTimePoint {
  /** Start of the bucket, ms. */
  readonly x: number
  /** Mean, ms; 0 if `values.count` is 0. */
  readonly y: number
  /** `count`, and if requested `p50`, `p75`, `p90`, `p95`, `p99` in ms. */
  readonly values: Omit<Figures, 'mean'>
}

/**
 * Computes the lead-time chart (spec.md "Lead-time chart", D25).
 *
 * A sample belongs to the bucket of its deployment, if that is in the range. A sample whose times for a stage are
 * missing or out of order is left out of that stage only. The chart contains all requested series, even empty ones: all
 * five stages, or all applications of the query; if the query names none, those with a sample in the range.
 *
 * @param samples samples in order of time; those outside of the range are ignored.
 * @param parts parts of the range that are summarized and not among the samples; each lies in one bucket. They must
 *   include the parts of the query's applications, or those of all applications together.
 */
export function leadTimeChart(
  samples: LeadTimeSamples,
  question: LeadTimeQuestion,
  parts: readonly LeadTimePart[] = [],
): LeadTimeChart {
  const { applications, groupBy, percentiles } = question
  const asked = applications ? onlyApplications(samples, applications) : samples
  const axis: Axis = { question, buckets: bucketsOf(question), room: new Float64Array(asked.at.length) }
  const whole = parts.filter(({ application }) =>
    applications ? application !== undefined : application === undefined,
  )
  const series: LeadTimeSeries[] = []
  const figures = stages.map((stage) => {
    const measured = measure(asked.at, columnsOf(stage, asked), axis)
    const summaries = byBucket(whole, stage, axis)
    if (groupBy === 'application')
      return [stage, figuresOfAll(measured.durations, summaries.flat(), percentiles)] as const
    const { buckets, all } = figuresIn(measured, summaries, percentiles)
    series.push(seriesOf(stage, buckets, axis))
    return [stage, all] as const
  })
  if (groupBy === 'application') series.push(...applicationSeries(asked, parts, axis))
  const summary = Object.fromEntries(figures) as LeadTimeChart['summary']
  const isBinned = whole.some(({ summary }) => summary.stages.some(({ bins }) => bins !== undefined))
  return { series, summary, tier: leadTimeTier(summary.total), percentileError: isBinned ? binError : 0 }
}

interface Axis {
  readonly question: LeadTimeQuestion
  readonly buckets: Buckets
  /** Buffer for durations, reused for each series: allocating it again would cost as much as the arithmetic. */
  readonly room: Float64Array
}

/** Returns the durations of a series; they are valid until the next call, which overwrites the buffer. */
function measure(at: Float64Array, columns: StageColumns, { question, buckets, room }: Axis): BucketedDurations {
  const cuts = cutIntoBuckets(at, question, buckets)
  const ends = new Uint32Array(buckets.count)
  let size = 0
  for (let i = 0; i < buckets.count; i++) {
    size = collectDurations(columns, cuts[i]!, cuts[i + 1]!, room, size)
    ends[i] = size
  }
  return { durations: room.subarray(0, size), ends }
}

/** Summaries of one stage by bucket; sparse. */
type Summaries = readonly (readonly DurationSummary[])[]

function byBucket(parts: readonly LeadTimePart[], stage: Stage, { buckets }: Axis): Summaries {
  const summaries: DurationSummary[][] = []
  for (const { at, summary } of parts) {
    const bucket = Math.floor((at - buckets.start) / buckets.width)
    const there = (summaries[bucket] ??= [])
    there.push(stageSummary(summary, stage))
  }
  return summaries
}

/** Returns the statistics of each bucket, and of all buckets together. */
function figuresIn({ durations, ends }: BucketedDurations, summaries: Summaries, percentiles: boolean) {
  if (summaries.length === 0) return figuresOfBuckets({ durations, ends }, percentiles)
  const buckets = Array.from(ends, (end, i) =>
    figuresOfAll(durations.subarray(i === 0 ? 0 : ends[i - 1], end), summaries[i] ?? [], percentiles),
  )
  return { buckets, all: figuresOfAll(durations, summaries.flat(), percentiles) }
}

function figuresOfAll(durations: Float64Array, summaries: readonly DurationSummary[], percentiles: boolean): Figures {
  if (summaries.length === 0)
    return figuresOfBuckets({ durations, ends: Uint32Array.of(durations.length) }, percentiles).all
  const pool = durationPool()
  pool.add(durations)
  for (const summary of summaries) pool.addSummary(summary)
  return pool.figures(percentiles)
}

function seriesOf(name: string, figures: readonly Figures[], { buckets }: Axis): LeadTimeSeries {
  const points = figures.map(({ mean, ...values }, i) => ({ x: buckets.start + i * buckets.width, y: mean, values }))
  return { name, count: figures.reduce((sum, { count }) => sum + count, 0), points }
}

function applicationSeries(samples: LeadTimeSamples, parts: readonly LeadTimePart[], axis: Axis): LeadTimeSeries[] {
  const { from, to, applications } = axis.question
  const columns = new Map(splitByApplication(samples).map((part, i) => [samples.labels[i]!, part]))
  const present = samples.labels.filter((label) => hasTimeIn(columns.get(label)!.at, from, to))
  const summarised = parts.flatMap(({ application }) => application ?? [])
  // Keys are ASCII (D8), so the order of UTF-16 units, which `sort` uses, is the order of code points.
  return [...new Set(applications ?? [...present, ...summarised])].sort().map((name) => {
    const { at, startedAt } = columns.get(name) ?? noSamples
    const own = parts.filter(({ application }) => application === name)
    const measured = measure(at, { start: startedAt, end: at, otherwise: at }, axis)
    return seriesOf(name, figuresIn(measured, byBucket(own, 'total', axis), axis.question.percentiles).buckets, axis)
  })
}

const noSamples: TotalSamples = { at: new Float64Array(0), startedAt: new Float64Array(0) }
