import * as v from 'valibot'
import { type LeadTimeChart, type LeadTimeTier, leadTimeTiers } from '../../rules/lead-time/index.ts'
import { chartResponse, type MetricResponse, serializeSeries } from '../insight-charts/chart-response.ts'

/** In ms; only with `expand=percentiles`. */
const percentiles = {
  p50: v.optional(v.number()),
  p75: v.optional(v.number()),
  p90: v.optional(v.number()),
  p95: v.optional(v.number()),
  p99: v.optional(v.number()),
}

const pointStats = v.object({ count: v.number(), ...percentiles })
const durationStats = v.object({ count: v.number(), mean: v.number(), ...percentiles })

export const leadTimeChartResponse = chartResponse({
  name: 'leadTime',
  yAxis: 'duration',
  summary: v.object({
    coding: durationStats,
    review: durationStats,
    wait: durationStats,
    deploy: durationStats,
    total: durationStats,
    /** Maximum relative error of the percentiles; 0 if they are exact. */
    percentileError: v.number(),
  }),
  values: pointStats,
})

type ChartResponse = v.InferOutput<typeof leadTimeChartResponse>

/**
 * Serializes a lead-time chart ("Lead-time chart" of the specification,
 * docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d25-lead-time).
 *
 * @param expand with `metrics` the response rates the mean total lead time of the range.
 */
export function serializeLeadTimeChart(
  chart: LeadTimeChart,
  { expand }: { readonly expand: readonly ('metrics' | 'percentiles')[] },
): ChartResponse {
  return {
    metadata: {
      summary: { ...chart.summary, percentileError: chart.percentileError },
      xAxis: 'timestamp',
      yAxis: 'duration',
      name: 'leadTime',
      metrics: expand.includes('metrics') ? { leadTime: metricOf(chart) } : {},
    },
    // Empty buckets do not count for the bounds.
    series: chart.series.map((line) => serializeSeries(line, ({ count }) => count > 0)),
  }
}

const tierDescriptions: Readonly<Record<Exclude<LeadTimeTier, 'notCalculated'>, string>> = {
  excellent: 'at most 1 day',
  good: 'at most 1 week',
  fair: 'at most 30 days',
  needsAttention: 'more than 30 days',
}

function metricOf({ summary, tier }: LeadTimeChart): MetricResponse {
  return {
    value: summary.total.mean,
    unit: 'ms',
    modifier: 'on average',
    indicator: tier,
    tiers: leadTimeTiers.map((tierEntry) => ({
      indicator: tierEntry.tier,
      description: tierDescriptions[tierEntry.tier],
    })),
  }
}
