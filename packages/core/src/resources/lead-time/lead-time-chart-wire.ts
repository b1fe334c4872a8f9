import * as v from 'valibot'
import { list } from '../../operation/schema.ts'
import {
  type LeadTimeChart,
  type LeadTimeSeries,
  type LeadTimeTier,
  leadTimeTiers,
} from '../../rules/lead-time/index.ts'

/** With `expand=percentiles` besides the count, in ms. */
const percentiles = {
  p50: v.optional(v.number()),
  p75: v.optional(v.number()),
  p90: v.optional(v.number()),
  p95: v.optional(v.number()),
  p99: v.optional(v.number()),
}

const pointFigures = v.object({ count: v.number(), ...percentiles })
const figures = v.object({ count: v.number(), mean: v.number(), ...percentiles })

const metric = v.object({
  value: v.number(),
  unit: v.string(),
  modifier: v.string(),
  indicator: v.string(),
  tiers: list(v.object({ indicator: v.string(), description: v.string() })),
})

export const leadTimeChartWire = v.object({
  metadata: v.object({
    summary: v.object({
      coding: figures,
      review: figures,
      wait: figures,
      deploy: figures,
      total: figures,
      /** By how much percentiles may be off, as a share; 0 where they are exact. */
      percentileError: v.number(),
    }),
    xAxis: v.literal('timestamp'),
    yAxis: v.literal('duration'),
    name: v.literal('leadTime'),
    metrics: v.record(v.string(), metric),
  }),
  series: list(
    v.object({
      metadata: v.object({
        name: v.string(),
        count: v.number(),
        bounds: list(v.object({ name: v.string(), value: v.number() })),
      }),
      data: list(v.object({ x: v.number(), y: v.number(), values: pointFigures })),
    }),
  ),
})

type ChartAnswer = v.InferOutput<typeof leadTimeChartWire>

/**
 * Shows a lead-time chart (spec.md "Lead-time chart", D25).
 *
 * @param expand with `metrics` the answer rates the mean total lead time of the range.
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
    series: chart.series.map((one) => ({
      metadata: { name: one.name, count: one.count, bounds: boundsOf(one) },
      data: one.points,
    })),
  }
}

/** Between which values a series moves, without its empty buckets; nothing when all are empty. */
function boundsOf({ points }: LeadTimeSeries): ChartAnswer['series'][number]['metadata']['bounds'] {
  const values = points.filter((point) => point.values.count > 0).map((point) => point.y)
  if (values.length === 0) return []
  return [
    { name: 'min', value: Math.min(...values) },
    { name: 'max', value: Math.max(...values) },
  ]
}

const tierDescriptions: Readonly<Record<Exclude<LeadTimeTier, 'notCalculated'>, string>> = {
  excellent: 'less than 1 day',
  good: '1 day to less than 1 week',
  fair: '1 week to less than 4 weeks',
  needsAttention: '4 weeks or more',
}

function metricOf({ summary, tier }: LeadTimeChart): v.InferOutput<typeof metric> {
  return {
    value: summary.total.mean,
    unit: 'ms',
    modifier: 'on average',
    indicator: tier,
    tiers: leadTimeTiers.map((one) => ({ indicator: one.tier, description: tierDescriptions[one.tier] })),
  }
}
