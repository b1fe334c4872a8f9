import type { ValidationError } from '../../operation/errors.ts'

/** The metrics that evaluate a config, and the main one for clients that support only one. */
export interface EvaluationMetrics {
  readonly evaluationMetricKey?: string
  readonly evaluationMetricKeys?: readonly string[]
}

/** Returns both properties when the caller gives at least one of them, or an empty object. */
export function evaluationMetrics({ evaluationMetricKey, evaluationMetricKeys }: EvaluationMetrics): EvaluationMetrics {
  if (evaluationMetricKeys) {
    return { evaluationMetricKeys, evaluationMetricKey: evaluationMetricKey ?? evaluationMetricKeys[0] }
  }
  return evaluationMetricKey === undefined ? {} : { evaluationMetricKey, evaluationMetricKeys: [evaluationMetricKey] }
}

export function validateMetrics({
  evaluationMetricKey,
  evaluationMetricKeys,
}: EvaluationMetrics): readonly ValidationError[] {
  if (evaluationMetricKey === undefined || !evaluationMetricKeys) return []
  if (evaluationMetricKeys.includes(evaluationMetricKey)) return []
  return [{ attribute: 'evaluationMetricKey', reason: 'must be one of evaluationMetricKeys' }]
}
