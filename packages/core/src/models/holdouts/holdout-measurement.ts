import { latenessMs } from '../../rules/measurement/lateness.ts'
import type { Writer } from '../../storage/writer.ts'
import { frozenMetrics } from '../experiments/frozen-metrics.ts'
import type { Iteration } from '../experiments/iteration.ts'
import { type ExposureSource, measurements } from '../measurements/measurement.ts'
import { startMeasurement } from '../measurements/write-measurement.ts'
import type { Holdout } from './holdout.ts'

/** The keys of the environment of a holdout. */
interface EnvironmentKeys {
  readonly projectKey: string
  readonly environmentKey: string
}

/** The variations that the measurement of a holdout compares: the units in it, and all others. */
export const holdoutSides = ['in-holdout', 'not-in-holdout'] as const

/**
 * Counts the contexts of an iteration that starts for its holdout: those in the holdout, and those in the experiment. The
 * first iteration starts the measurement of the holdout, with the metrics as they are defined then
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
    const sources = [...counting(before.sources, startedAt), ...added]
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

/**
 * Ends the counting of an iteration for its holdout, if it counts there.
 *
 * @param now integer ms, UTC.
 */
export async function endInHoldout(
  tx: Writer,
  { projectKey, environmentKey }: EnvironmentKeys,
  holdoutId: string,
  { subject, ruleId, serving }: Iteration,
  now: number,
): Promise<void> {
  const keys = { projectKey, environmentKey, measurementId: holdoutId }
  const before = await tx.get(measurements, keys)
  const isOfIteration = ({ flagKey, place, until }: ExposureSource) =>
    until === undefined && flagKey === subject.key && (place === ruleId || place === serving?.holdoutRuleId)
  if (!before?.sources?.some(isOfIteration)) return
  const sources = counting(before.sources, now).map((source) =>
    isOfIteration(source) ? { ...source, until: now } : source,
  )
  tx.follow(measurements, keys, before, { ...before, sources })
}

/** Returns the sources whose exposures can still arrive. */
function counting(sources: readonly ExposureSource[] = [], now: number): readonly ExposureSource[] {
  return sources.filter(({ until = now }) => until > now - latenessMs)
}
