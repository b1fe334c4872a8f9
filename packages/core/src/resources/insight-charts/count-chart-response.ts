import * as v from 'valibot'
import { type CountChart, chartTier, chartTiers } from '../../rules/insight-charts/index.ts'
import { chartResponse, type MetricResponse, serializeSeries } from './chart-response.ts'

const numbers = v.record(v.string(), v.number())

const countChart = <const Name extends string>(name: Name) =>
  chartResponse({ name, yAxis: 'count', summary: numbers, values: numbers })

export const deploymentFrequencyResponse = countChart('deploymentFrequency')
export const releaseFrequencyResponse = countChart('releaseFrequency')
export const flagStatusChartResponse = countChart('flagStatus')
export const staleFlagsResponse = countChart('staleFlags')

/**
 * Serializes a chart of counts.
 *
 * @param metrics ratings by name; empty when the query did not request them.
 */
export function serializeCountChart<const Name extends string>(
  name: Name,
  { series, summary }: CountChart,
  metrics: Readonly<Record<string, MetricResponse>> = {},
) {
  return {
    metadata: { summary, xAxis: 'timestamp' as const, yAxis: 'count' as const, name, metrics },
    series: series.map((line) => serializeSeries(line)),
  }
}

interface MeasuredMetric {
  readonly value: number
  readonly unit: string
  readonly modifier: string
  /** True when there was something to measure. */
  readonly hasData: boolean
}

/** Serializes the rating of a chart. */
export function serializeMetric(
  metric: keyof typeof chartTiers,
  { hasData, ...properties }: MeasuredMetric,
): Readonly<Record<string, MetricResponse>> {
  const tiers = Object.entries(chartTiers[metric]).map(([indicator, description]) => ({ indicator, description }))
  return {
    [metric]: { ...properties, indicator: hasData ? chartTier(metric, properties.value) : 'notCalculated', tiers },
  }
}
