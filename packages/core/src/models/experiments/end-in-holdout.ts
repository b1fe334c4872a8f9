import { latenessMs } from '../../rules/measurement/lateness.ts'
import type { Writer } from '../../storage/writer.ts'
import type { EnvironmentKeys } from '../environments/environment-keys.ts'
import { type ExposureSource, measurements } from '../measurements/measurement.ts'
import type { Iteration } from './iteration.ts'

/** An iteration that a holdout measures. */
export interface HoldoutIteration {
  readonly holdoutId: string
  readonly iteration: Iteration
}

/**
 * Stops counting the exposures of an iteration in the measurement of its holdout, if that measurement counts them.
 *
 * @param now integer ms, UTC.
 */
export async function endInHoldout(
  tx: Writer,
  { projectKey, environmentKey }: EnvironmentKeys,
  { holdoutId, iteration: { subject, ruleId, serving } }: HoldoutIteration,
  now: number,
): Promise<void> {
  const keys = { projectKey, environmentKey, measurementId: holdoutId }
  const before = await tx.get(measurements, keys)
  const isOfIteration = ({ flagKey, place, until }: ExposureSource) =>
    until === undefined && flagKey === subject.key && (place === ruleId || place === serving?.holdoutRuleId)
  if (!before?.sources?.some(isOfIteration)) return
  const sources = countingSources(before.sources, now).map((source) =>
    isOfIteration(source) ? { ...source, until: now } : source,
  )
  tx.follow(measurements, keys, before, { ...before, sources })
}

/** Returns the sources whose exposures can still arrive. */
export function countingSources(sources: readonly ExposureSource[] = [], now: number): readonly ExposureSource[] {
  return sources.filter(({ until = now }) => until > now - latenessMs)
}
