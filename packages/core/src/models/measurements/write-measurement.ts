import type { Writer } from '../../storage/writer.ts'
import type { EnvironmentKeys } from '../environments/environment-keys.ts'
import { type Measurement, measurements } from './measurement.ts'

/**
 * Starts a measurement in the unit of work that changes what the flag serves.
 *
 * @param measurement its `id` is unique in the environment.
 */
export function startMeasurement(
  tx: Writer,
  { projectKey, environmentKey }: EnvironmentKeys,
  measurement: Omit<Measurement, 'version'>,
): void {
  tx.insert(measurements, { projectKey, environmentKey, measurementId: measurement.id }, measurement)
}

/** A measurement, and the time of its end. */
export interface MeasurementEnd {
  readonly measurementId: string
  /** Integer ms, UTC. */
  readonly endedAt: number
}

/**
 * Ends a measurement, if it exists and has not ended. Its results stay, and events from before its end are counted for
 * another day.
 */
export async function endMeasurement(
  tx: Writer,
  { projectKey, environmentKey }: EnvironmentKeys,
  { measurementId, endedAt }: MeasurementEnd,
): Promise<void> {
  const keys = { projectKey, environmentKey, measurementId }
  const before = await tx.get(measurements, keys)
  if (before && before.endedAt === undefined) tx.follow(measurements, keys, before, { ...before, endedAt })
}

/** Removes a measurement with everything that it has counted, if it exists. */
export function removeMeasurement(
  tx: Writer,
  { projectKey, environmentKey }: EnvironmentKeys,
  measurementId: string,
): void {
  const keys = { projectKey, environmentKey, measurementId }
  tx.clear(measurements.address.address(keys))
  tx.discard(measurements, keys)
}
