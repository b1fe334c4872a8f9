import * as v from 'valibot'
import { type LeadTimeChart, type LeadTimeTier, leadTimeTiers } from '../../rules/lead-time/index.ts'
import { chartWire, type MetricAnswer, presentSeries } from '../insight-charts/chart-wire.ts'

/** In ms; only with `expand=percentiles`. */
const percentiles = {
  p50: v.optional(v.number()),
  p75: v.optional(v.number()),
  p90: v.optional(v.number()),
  p95: v.optional(v.number()),
  p99: v.optional(v.number()),
}

const pointFigures = v.object({ count: v.number(), ...percentiles })
const figures = v.object({ count: v.number(), mean: v.number(), ...percentiles })

export const leadTimeChartWire = chartWire({
  name: 'leadTime',
  yAxis: 'duration',
  summary: v.object({
    coding: figures,
    review: figures,
    wait: figures,
    deploy: figures,
    total: figures,
    /** Maximum relative error of the percentiles; 0 if they are exact. */
    percentileError: v.number(),
  }),
  values: pointFigures,
})

type ChartAnswer = v.InferOutput<typeof leadTimeChartWire>

/**
 * Serializes a lead-time chart ("Lead-time chart" of the specification, D25).
 *
 * @param expand with `metrics` the response rates the mean total lead time of the range.
 */
export function presentLeadTimeChart(
  chart: LeadTimeChart,
  { expand }: { readonly expand: readonly ('metrics' | 'percentiles')[] },
): ChartAnswer {
  return {
    metadata: {
      summary: { ...chart.summary, percentileError: chart.percentileError },
      xAxis: 'timestamp',
      yAxis: 'duration',
      name: 'leadTime',
      metrics: expand.includes('metrics') ? { leadTime: metricOf(chart) } : {},
    },
    // Empty buckets do not count for the bounds.
    series: chart.series.map((one) => presentSeries(one, ({ count }) => count > 0)),
  }
}

const tierDescriptions: Readonly<Record<Exclude<LeadTimeTier, 'notCalculated'>, string>> = {
  excellent: 'less than 1 day',
  good: '1 day to less than 1 week',
  fair: '1 week to less than 4 weeks',
  needsAttention: '4 weeks or more',
}

function metricOf({ summary, tier }: LeadTimeChart): MetricAnswer {
  return {
    value: summary.total.mean,
    unit: 'ms',
    modifier: 'on average',
    indicator: tier,
    tiers: leadTimeTiers.map((one) => ({ indicator: one.tier, description: tierDescriptions[one.tier] })),
  }
}
