import type { Fault } from '../../operation/errors.ts'

/** The metrics by which a config is judged; one of them stands for all where there is room for one only. */
export interface EvaluationMetrics {
  readonly evaluationMetricKey?: string
  readonly evaluationMetricKeys?: readonly string[]
}

/** What a caller who gives one of the members means for both; nothing where they give neither. */
export function evaluationMetrics({ evaluationMetricKey, evaluationMetricKeys }: EvaluationMetrics): EvaluationMetrics {
  if (evaluationMetricKeys) {
    return { evaluationMetricKeys, evaluationMetricKey: evaluationMetricKey ?? evaluationMetricKeys[0] }
  }
  return evaluationMetricKey === undefined ? {} : { evaluationMetricKey, evaluationMetricKeys: [evaluationMetricKey] }
}

export function metricFaults({ evaluationMetricKey, evaluationMetricKeys }: EvaluationMetrics): readonly Fault[] {
  if (evaluationMetricKey === undefined || !evaluationMetricKeys) return []
  if (evaluationMetricKeys.includes(evaluationMetricKey)) return []
  return [{ attribute: 'evaluationMetricKey', reason: 'must be one of evaluationMetricKeys' }]
}
