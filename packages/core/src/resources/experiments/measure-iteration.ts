import { type Experiment, type ExperimentKeys, preStart } from '../../models/experiments/experiment.ts'
import { frozenMetrics } from '../../models/experiments/frozen-metrics.ts'
import type { Iteration } from '../../models/experiments/iteration.ts'
import { startMeasurement } from '../../models/measurements/write-measurement.ts'
import type { WriteContext } from '../../operation/context.ts'
import type { SubjectState } from './subject-state.ts'

/**
 * Starts to count the contexts and events of an iteration, with the metrics as they are defined now.
 *
 * @param experiment the experiment before the start, without a running iteration.
 */
export async function measureIteration(
  { tx }: Pick<WriteContext, 'tx'>,
  keys: ExperimentKeys,
  { experiment, iteration }: { readonly experiment: Experiment; readonly iteration: Iteration },
  { kind, key, variations }: SubjectState,
): Promise<void> {
  const { id, randomizationUnit, treatments, ruleId, attributes, startedAt = 0 } = iteration
  const preFrom = preStart(experiment, startedAt)
  startMeasurement(tx, keys, {
    id,
    kind: 'experiment',
    flagKind: kind === 'flag' ? 'flag' : 'ai-config',
    flagKey: key,
    randomizationUnit,
    ...(await frozenMetrics(tx, keys.projectKey, iteration.metrics)),
    variations: treatments.map(({ variationId }) => ({
      id: variationId,
      index: variations.findIndex(({ _id }) => _id === variationId),
    })),
    places: [ruleId],
    attributes: attributes.map((attribute) => ({ contextKind: randomizationUnit, attribute })),
    startedAt,
    ...(preFrom === undefined ? {} : { preFrom }),
  })
}
