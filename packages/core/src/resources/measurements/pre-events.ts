import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { draftIteration, type Experiment, experiments, preStart } from '../../models/experiments/experiment.ts'
import { frozenMetrics } from '../../models/experiments/frozen-metrics.ts'
import type { Iteration } from '../../models/experiments/iteration.ts'
import { measuredUnits, type StoredUnit } from '../../models/measurements/measurement.ts'
import type { Host } from '../../operation/context.ts'
import type { ReportedEvent } from '../../rules/measurement/measured-report.ts'
import { withReports } from '../../rules/measurement/measured-unit.ts'
import { eventKeysOf } from '../../rules/measurement/metric-definition.ts'
import type { PreEvent } from '../../rules/measurement/pre-period.ts'
import type { Change, Condition } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import type { EventStorage } from '../sdk-events/event-consumer.ts'
import { unitChange } from './unit-change.ts'
import { unitIds } from './unit-id.ts'

/** No limit, because every experiment that waits for its start must be read. */
const noLimit = 2 ** 31 - 1

const waiting: readonly Condition[] = [
  { op: 'equals', field: 'archived', value: false },
  { op: 'anyOf', field: 'statuses', values: ['not_started'] },
]

/** The environment whose events are counted, with the storage and the host of the engine. */
export interface CountedEnvironment {
  readonly storage: EventStorage
  readonly environmentKeys: EnvironmentKeys
  readonly host: Host
}

/**
 * Counts the events of metrics for the iterations that have not started, by unit and UTC day
 * (docs/decisions/0077-count-events-before-an-experiment.md). No events are counted for an experiment with a running
 * iteration, because its treatments change the behavior of units.
 */
export async function preEventChanges(
  environment: CountedEnvironment,
  events: readonly ReportedEvent[],
): Promise<readonly Change[]> {
  const { storage, environmentKeys } = environment
  if (events.length === 0) return []
  const scope = experiments.address.scope({ ...environmentKeys, experimentKey: '' })
  const query = { collection: experiments.name, scope, where: waiting, limit: noLimit, select: 'bodies' } as const
  const { items } = await storage.list(query)
  const changes = await Promise.all(items.map(({ body }) => experimentChanges(environment, body as Experiment, events)))
  return changes.flat()
}

async function experimentChanges(
  { storage, environmentKeys, host }: CountedEnvironment,
  experiment: Experiment,
  events: readonly ReportedEvent[],
): Promise<readonly Change[]> {
  const draft = draftIteration(experiment)
  const now = host.now()
  const preFrom = preStart(experiment, now)
  if (!draft || preFrom === undefined) return []
  const units = await unitsOf(storage, environmentKeys, draft, { events, preFrom })
  if (units.size === 0) return []
  const keys = { ...environmentKeys, measurementId: draft.id }
  const ids = await unitIds([...units.keys()], host)
  const stored = await storage.getMany(ids.map((unitId) => measuredUnits.id({ ...keys, unitId })))
  const experimentId = experiments.id({ ...environmentKeys, experimentKey: experiment.key })
  return [
    { do: 'expect', id: experimentId, version: experiment.version },
    ...[...units.values()].map((preEvents, index) => {
      const before = stored[index]?.body as StoredUnit | undefined
      const after = withReports(before ?? {}, { exposures: [], events: [], preEvents }, now, { preFrom })
      return unitChange({ ...keys, unitId: ids[index] as string }, before, after)
    }),
  ]
}

/** Returns the events of the metrics of an iteration, by key of the unit's context. */
async function unitsOf(
  storage: EventStorage,
  { projectKey }: EnvironmentKeys,
  { metrics, randomizationUnit }: Iteration,
  { events, preFrom }: { readonly events: readonly ReportedEvent[]; readonly preFrom: number },
): Promise<ReadonlyMap<string, readonly PreEvent[]>> {
  const frozen = await frozenMetrics(new StorageReader(storage), projectKey, metrics)
  const eventKeys = new Set(eventKeysOf(frozen.metrics))
  const units = new Map<string, PreEvent[]>()
  for (const { at, key, value, contextKeys } of events) {
    const contextKey = contextKeys[randomizationUnit]
    if (!contextKey || at < preFrom || !eventKeys.has(key)) continue
    const event = { at, eventKey: key, ...(value === undefined ? {} : { value }) }
    const known = units.get(contextKey)
    if (known) known.push(event)
    else units.set(contextKey, [event])
  }
  return units
}
