import type { Writer } from '../../storage/writer.ts'
import type { EnvironmentKeys } from '../environments/environment-keys.ts'
import { countingSources } from '../experiments/end-in-holdout.ts'
import { frozenMetrics } from '../experiments/frozen-metrics.ts'
import type { Iteration } from '../experiments/iteration.ts'
import { type ExposureSource, measurements } from '../measurements/measurement.ts'
import { startMeasurement } from '../measurements/write-measurement.ts'
import type { Holdout } from './holdout.ts'

/** The two groups of units that the measurement of a holdout compares: the units in the holdout, and all others. */
export const holdoutSides = ['in-holdout', 'not-in-holdout'] as const

/**
 * Adds a new iteration to the measurement of its holdout. The measurement counts two groups of contexts: contexts in
 * the holdout, and contexts in the experiment. The first iteration starts the measurement of the holdout, with the
 * metrics as they are defined then
 * (docs/decisions/0076-measure-holdouts-by-the-contexts-that-experiments-would-count.md).
 */
export async function measureHoldout(
  tx: Writer,
  { projectKey, environmentKey }: EnvironmentKeys,
  { id, metrics, randomizationUnit, attributes }: Holdout,
  { subject, ruleId, serving, startedAt = 0 }: Iteration,
): Promise<void> {
  const keys = { projectKey, environmentKey, measurementId: id }
  const common = { flagKey: subject.key, from: startedAt }
  const added: ExposureSource[] = [
    { ...common, place: serving?.holdoutRuleId ?? '', variation: 0 },
    { ...common, place: ruleId, variation: 1 },
  ]
  const before = await tx.get(measurements, keys)
  if (before) {
    const sources = [...countingSources(before.sources, startedAt), ...added]
    tx.follow(measurements, keys, before, { ...before, sources })
    return
  }
  startMeasurement(tx, keys, {
    id,
    kind: 'holdout',
    randomizationUnit,
    ...(await frozenMetrics(tx, projectKey, metrics)),
    variations: holdoutSides.map((side, index) => ({ id: side, index })),
    places: [],
    sources: added,
    attributes: attributes.map((attribute) => ({ contextKind: randomizationUnit, attribute })),
    startedAt,
  })
}
