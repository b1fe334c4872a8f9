import * as v from 'valibot'
import { type CountChart, chartTier, chartTiers } from '../../rules/insight-charts/index.ts'
import { chartWire, type MetricAnswer, presentSeries } from './chart-wire.ts'

const numbers = v.record(v.string(), v.number())

const countChart = <const Name extends string>(name: Name) =>
  chartWire({ name, yAxis: 'count', summary: numbers, values: numbers })

export const deploymentFrequencyWire = countChart('deploymentFrequency')
export const releaseFrequencyWire = countChart('releaseFrequency')
export const flagStatusChartWire = countChart('flagStatus')
export const staleFlagsWire = countChart('staleFlags')

/**
 * Serializes a chart of counts.
 *
 * @param metrics ratings by name; empty when the query did not ask for them.
 */
export function presentCountChart<const Name extends string>(
  name: Name,
  { series, summary }: CountChart,
  metrics: Readonly<Record<string, MetricAnswer>> = {},
) {
  return {
    metadata: { summary, xAxis: 'timestamp' as const, yAxis: 'count' as const, name, metrics },
    series: series.map((one) => presentSeries(one)),
  }
}

interface MeasuredMetric {
  readonly value: number
  readonly unit: string
  readonly modifier: string
  /** True when there was something to measure. */
  readonly measured: boolean
}

/** Serializes the rating of a chart. */
export function presentMetric(
  metric: keyof typeof chartTiers,
  { measured, ...shown }: MeasuredMetric,
): Readonly<Record<string, MetricAnswer>> {
  const tiers = Object.entries(chartTiers[metric]).map(([indicator, description]) => ({ indicator, description }))
  return { [metric]: { ...shown, indicator: measured ? chartTier(metric, shown.value) : 'notCalculated', tiers } }
}
