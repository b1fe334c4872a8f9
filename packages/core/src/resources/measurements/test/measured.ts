import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import { type Measurement, measurements } from '../../../models/measurements/measurement.ts'
import type { MetricDefinition } from '../../../rules/measurement/metric-definition.ts'
import type { AccountStorage } from '../../../storage/port.ts'
import { writeChange } from '../../sdk-events/write-change.ts'

/**
 * Returns the definition of a metric. Default for omitted properties: a numeric metric that counts units without events
 * as 0.
 */
export function definition(
  given: Pick<MetricDefinition, 'key' | 'eventKey' | 'value'> & Partial<MetricDefinition>,
): MetricDefinition {
  return {
    metricVersion: 1,
    name: given.key,
    aggregation: 'sum',
    missing: 'zero',
    successCriteria: 'HigherThanBaseline',
    ...given,
  }
}

/** Returns an experiment on the fallthrough of the flag `checkout` with two variations. */
export function runningMeasurement(
  given: Partial<Measurement> & Pick<Measurement, 'metrics' | 'startedAt'>,
): Measurement {
  return {
    id: 'iteration-1',
    kind: 'experiment',
    flagKind: 'flag',
    flagKey: 'checkout',
    randomizationUnit: 'user',
    variations: [
      { id: 'control', index: 0 },
      { id: 'treatment', index: 1 },
    ],
    places: ['fallthrough'],
    version: 1,
    ...given,
  }
}

/** Stores a measurement, as the resource does that starts it. */
export async function storeMeasurement(
  storage: AccountStorage,
  keys: EnvironmentKeys,
  measurement: Measurement,
  before?: Measurement,
): Promise<void> {
  const { version: _, ...content } = measurement
  await storage.commit([writeChange(measurements, { ...keys, measurementId: measurement.id }, before, content)])
}

/** Returns the event that SDKs send for an evaluation that is part of an experiment. */
export function exposed(
  flagKey: string,
  userKey: string,
  variation: number,
  { at, attributes = {} }: { readonly at: number; readonly attributes?: object },
) {
  const reason = { kind: 'FALLTHROUGH', inExperiment: true }
  const context = { kind: 'user', key: userKey, ...attributes }
  return { kind: 'feature', key: flagKey, version: 1, variation, value: variation, creationDate: at, context, reason }
}

/** Returns the event that SDKs send for `track`. */
export function tracked(
  key: string,
  userKey: string,
  { at, value }: { readonly at: number; readonly value?: number | undefined },
) {
  return { kind: 'custom', key, creationDate: at, metricValue: value, contextKeys: { user: userKey } }
}
