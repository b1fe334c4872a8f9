import type { MetricDefinition } from '../../rules/measurement/metric-definition.ts'
import type { Metric } from './metric.ts'

/**
 * Returns the definition of a metric as it is now. A measurement keeps it, so that later changes of the metric do not
 * change what is measured.
 */
export function metricDefinition(metric: Metric): MetricDefinition {
  const { key, version, name, unitAggregationType, analysisType, percentileValue, successCriteria, unit } = metric
  const { eventDefault, winsorization, denominator } = metric
  return {
    key,
    metricVersion: version,
    name,
    eventKey: eventKeyOf(metric),
    value: measuredValue(metric),
    aggregation: unitAggregationType,
    missing: eventDefault.disabled ? 'left-out' : 'zero',
    successCriteria,
    ...(analysisType === 'percentile' && percentileValue !== undefined ? { percentile: percentileValue } : {}),
    ...(winsorization ? { bounds: winsorization } : {}),
    ...(denominator
      ? { denominator: { eventKey: denominator.eventKey, value: denominator.isNumeric ? 'numeric' : 'count' } }
      : {}),
    ...(unit === undefined ? {} : { unit }),
  }
}

/** Returns the key of the events of a metric. SDKs report clicks and page views with the key of the metric. */
export function eventKeyOf({ kind, key, eventKey }: Pick<Metric, 'kind' | 'key' | 'eventKey'>): string {
  return kind === 'custom' ? (eventKey ?? key) : key
}

function measuredValue({ isNumeric, unitAggregationType }: Metric): MetricDefinition['value'] {
  if (isNumeric) return 'numeric'
  return unitAggregationType === 'sum' ? 'count' : 'conversion'
}
