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
  /** Whether points and summary have percentiles beside the mean. */
  readonly percentiles: boolean
  /** Only these applications; undefined means all. */
  readonly applications?: readonly string[]
}

/** Lead times by bucket, and over the whole range. */
export interface LeadTimeChart {
  /** By stage in the order of `stages`, or by application in code-point order. */
  readonly series: readonly LeadTimeSeries[]
  /** Figures of each stage over the whole range, however the series are grouped. */
  readonly summary: { readonly [stage in Stage]: Figures }
  /** Of the mean total lead time. */
  readonly tier: LeadTimeTier
  /** By how much percentiles may be off, as a share; 0 where they are exact. */
  readonly percentileError: number
}

/** One line of a chart: a stage or an application. */
export interface LeadTimeSeries {
  /** A stage, or the key of an application whose total lead times these are. */
  readonly name: string
  /** How many durations there are in all points. */
  readonly count: number
  /** One per bucket, in order of time, also where there is nothing. */
  readonly points: readonly LeadTimePoint[]
}

/** The lead times of one bucket. */
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
 * @param parts of the range that were summarised instead of being among the samples; each lies in one bucket, and those
 *   of the question's applications, or of all together, are there.
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
  /** Where durations are written, again for each series: fresh memory would cost as much as the arithmetic. */
  readonly room: Float64Array
}

/** The durations of a series; valid until those of the next are taken. */
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

/** Summaries of one stage, bucket after bucket; sparse where nothing was summarised. */
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

/** The figures of each bucket, and of all of them together. */
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
  // Keys are ASCII (D8), so the order of UTF-16 units, which `sort` takes, is that of code points.
  return [...new Set(applications ?? [...present, ...summarised])].sort().map((name) => {
    const { at, startedAt } = columns.get(name) ?? noSamples
    const own = parts.filter(({ application }) => application === name)
    const measured = measure(at, { start: startedAt, end: at, otherwise: at }, axis)
    return seriesOf(name, figuresIn(measured, byBucket(own, 'total', axis), axis.question.percentiles).buckets, axis)
  })
}

const noSamples: TotalSamples = { at: new Float64Array(0), startedAt: new Float64Array(0) }
