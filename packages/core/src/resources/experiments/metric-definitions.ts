import type { ExperimentMetric } from '../../models/experiments/experiment.ts'
import type { ValidationError } from '../../operation/errors.ts'
import type { MetricDefinition } from '../../rules/measurement/metric-definition.ts'
import type { Reader } from '../../storage/reader.ts'

/** Validates that the metrics of an iteration exist. */
export async function validateMetrics(
  _tx: Reader,
  _projectKey: string,
  _metrics: readonly ExperimentMetric[],
): Promise<ValidationError[]> {
  return []
}

/** Returns the definitions of the metrics of an iteration, and of those in its metric groups, each once. */
export async function frozenMetrics(
  _tx: Reader,
  _projectKey: string,
  _metrics: readonly ExperimentMetric[],
): Promise<readonly MetricDefinition[]> {
  return []
}
