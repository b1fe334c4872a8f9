import { type Experiment, type ExperimentKeys, experiments } from '../../models/experiments/experiment.ts'
import type { Iteration } from '../../models/experiments/iteration.ts'
import { iterationsByState } from '../../models/experiments/shown-iterations.ts'
import { type MeasuredResults, measuredResults } from '../../models/measurements/measured-results.ts'
import type { Context } from '../../operation/context.ts'
import type { Reader } from '../../storage/reader.ts'

/** A started iteration with its measured sums. */
export interface IterationResults {
  readonly experiment: Experiment
  readonly iteration: Iteration
  readonly measured: MeasuredResults
}

/**
 * Reads the measured sums of an iteration.
 *
 * @param iterationId default: the running iteration, or the last one that was stopped.
 * @throws ApiError `not_found` when the experiment or the iteration does not exist, or has not started.
 */
export async function loadResults(
  { tx, fail }: Context<Reader, 'not_found'>,
  keys: ExperimentKeys,
  iterationId: string | undefined,
): Promise<IterationResults> {
  const experiment = (await tx.get(experiments, keys)) ?? fail('not_found')
  const { current, previous } = iterationsByState(experiment.iterations)
  const iteration =
    iterationId === undefined ? current : [current, ...previous].find((started) => started?.id === iterationId)
  const measured = iteration && (await measuredResults(tx, { ...keys, measurementId: iteration.id }))
  return iteration && measured ? { experiment, iteration, measured } : fail('not_found')
}
