import { type BucketedDurations, bucketStats } from './bucketed-durations.ts'
import { type BucketQuery, type Buckets, bucketsOf, cutIntoBuckets, hasTimeIn } from './buckets.ts'
import { durationPool } from './duration-pool.ts'
import type { DurationStats } from './duration-stats.ts'
import { binError, type DurationSummary } from './duration-summary.ts'
import { type LeadTimePart, stageSummary } from './lead-time-summary.ts'
import { type LeadTimeSamples, onlyApplications, splitByApplication, type TotalSamples } from './samples.ts'
import { collectDurations, columnsOf, type Stage, type StageColumns, stages } from './stages.ts'
import { type LeadTimeTier, leadTimeTier } from './tier.ts'

/** The range, buckets, grouping and applications of a chart of lead times. */
export interface LeadTimeQuery extends BucketQuery {
  readonly groupBy: 'application' | 'stage'
  /** True if points and summary contain percentiles in addition to the mean. */
  readonly percentiles: boolean
  /** Keys of applications to include; undefined for all. */
  readonly applications?: readonly string[]
}

/** Lead times by bucket, and over the whole range. */
export interface LeadTimeChart {
  /** One series for each stage, in the order of `stages`, or for each application, in code-point order. */
  readonly series: readonly LeadTimeSeries[]
  /** Statistics of each stage over the whole range, regardless of the grouping of the series. */
  readonly summary: { readonly [stage in Stage]: DurationStats }
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
  readonly values: Omit<DurationStats, 'mean'>
}

/**
 * Computes the lead-time chart (docs/specification.md#lead-time-chart,
 * docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time).
 *
 * A sample belongs to the bucket of its deployment, if that is in the range. A sample whose times for a stage are
 * missing or out of order is left out of that stage only. The chart contains all requested series, even empty ones: all
 * five stages, or all applications of the query; if the query names no applications, those with a sample in the range.
 *
 * @param samples samples in order of time; those outside of the range are ignored.
 * @param parts parts of the range that are summarized and not among the samples; each lies in one bucket. They must
 *   include the parts of the query's applications, or those of all applications together.
 */
export function leadTimeChart(
  samples: LeadTimeSamples,
  query: LeadTimeQuery,
  parts: readonly LeadTimePart[] = [],
): LeadTimeChart {
  const { applications, groupBy, percentiles } = query
  const filtered = applications ? onlyApplications(samples, applications) : samples
  const axis: Axis = { query, buckets: bucketsOf(query), buffer: new Float64Array(filtered.at.length) }
  const filteredParts = parts.filter(({ application }) =>
    applications ? application !== undefined : application === undefined,
  )
  const series: LeadTimeSeries[] = []
  const stats = stages.map((stage) => {
    const durations = measure(filtered.at, columnsOf(stage, filtered), axis)
    const summaries = summariesByBucket(filteredParts, stage, axis)
    if (groupBy === 'application')
      return [stage, statsOfAll(durations.durations, summaries.flat(), percentiles)] as const
    const { buckets, all } = statsByBucket(durations, summaries, percentiles)
    series.push(seriesOf(stage, buckets, axis))
    return [stage, all] as const
  })
  if (groupBy === 'application') series.push(...applicationSeries(filtered, parts, axis))
  const summary = Object.fromEntries(stats) as LeadTimeChart['summary']
  const isBinned = filteredParts.some(({ summary }) => summary.stages.some(({ bins }) => bins !== undefined))
  return { series, summary, tier: leadTimeTier(summary.total), percentileError: isBinned ? binError : 0 }
}

interface Axis {
  readonly query: LeadTimeQuery
  readonly buckets: Buckets
  /** Buffer for durations, reused for each series: allocating it again would cost as much as the arithmetic. */
  readonly buffer: Float64Array
}

/** Returns the durations of a series; they are valid until the next call, which overwrites the buffer. */
function measure(times: Float64Array, columns: StageColumns, { query, buckets, buffer }: Axis): BucketedDurations {
  const boundaries = cutIntoBuckets(times, query, buckets)
  const ends = new Uint32Array(buckets.count)
  let size = 0
  for (let i = 0; i < buckets.count; i++) {
    size = collectDurations(columns, { first: boundaries[i]!, last: boundaries[i + 1]! }, buffer, size)
    ends[i] = size
  }
  return { durations: buffer.subarray(0, size), ends }
}

/** Summaries of one stage by bucket; sparse. */
type Summaries = readonly (readonly DurationSummary[])[]

function summariesByBucket(parts: readonly LeadTimePart[], stage: Stage, { buckets }: Axis): Summaries {
  const summaries: DurationSummary[][] = []
  for (const { at: startTime, summary } of parts) {
    const bucket = Math.floor((startTime - buckets.start) / buckets.width)
    const bucketSummaries = (summaries[bucket] ??= [])
    bucketSummaries.push(stageSummary(summary, stage))
  }
  return summaries
}

/** Returns the statistics of each bucket, and of all buckets together. */
function statsByBucket({ durations, ends }: BucketedDurations, summaries: Summaries, percentiles: boolean) {
  if (summaries.length === 0) return bucketStats({ durations, ends }, percentiles)
  const buckets = Array.from(ends, (end, i) =>
    statsOfAll(durations.subarray(i === 0 ? 0 : ends[i - 1], end), summaries[i] ?? [], percentiles),
  )
  return { buckets, all: statsOfAll(durations, summaries.flat(), percentiles) }
}

function statsOfAll(
  durations: Float64Array,
  summaries: readonly DurationSummary[],
  percentiles: boolean,
): DurationStats {
  if (summaries.length === 0) return bucketStats({ durations, ends: Uint32Array.of(durations.length) }, percentiles).all
  const pool = durationPool()
  pool.add(durations)
  for (const summary of summaries) pool.addSummary(summary)
  return pool.stats(percentiles)
}

function seriesOf(name: string, stats: readonly DurationStats[], { buckets }: Axis): LeadTimeSeries {
  const points = stats.map(({ mean, ...values }, i) => ({ x: buckets.start + i * buckets.width, y: mean, values }))
  return { name, count: stats.reduce((sum, { count }) => sum + count, 0), points }
}

function applicationSeries(samples: LeadTimeSamples, parts: readonly LeadTimePart[], axis: Axis): LeadTimeSeries[] {
  const { from, to, applications } = axis.query
  const columns = new Map(splitByApplication(samples).map((part, i) => [samples.labels[i]!, part]))
  const present = samples.labels.filter((label) => hasTimeIn(columns.get(label)!.at, from, to))
  const summarizedApplications = parts.flatMap(({ application }) => application ?? [])
  // Keys are ASCII (docs/decisions/0001-follow-one-set-of-http-conventions.md#d8-keys), so the order of UTF-16 units,
  // which `sort` uses, is the order of code points.
  return [...new Set(applications ?? [...present, ...summarizedApplications])].sort().map((name) => {
    const { at: times, startedAt } = columns.get(name) ?? noSamples
    const applicationParts = parts.filter(({ application }) => application === name)
    const durations = measure(times, { start: startedAt, end: times, fallbackEnd: times }, axis)
    return seriesOf(
      name,
      statsByBucket(durations, summariesByBucket(applicationParts, 'total', axis), axis.query.percentiles).buckets,
      axis,
    )
  })
}

const noSamples: TotalSamples = { at: new Float64Array(0), startedAt: new Float64Array(0) }
