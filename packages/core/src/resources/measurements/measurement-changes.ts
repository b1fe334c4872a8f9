import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import {
  countingAt,
  type Measurement,
  type MeasurementSums,
  measuredUnits,
  measurementSums,
  measurements,
  type StoredUnit,
} from '../../models/measurements/measurement.ts'
import type { Host } from '../../operation/context.ts'
import type { ReportedExposure, ReportedItem } from '../../rules/measurement/measured-report.ts'
import type { Exposure, MeasuredUnit, UnitReports } from '../../rules/measurement/measured-unit.ts'
import { withReports } from '../../rules/measurement/measured-unit.ts'
import { eventKeysOf, funnelsOf } from '../../rules/measurement/metric-definition.ts'
import { continuedSums } from '../../rules/measurement/variation-sums.ts'
import type { Change } from '../../storage/port.ts'
import type { EventStorage } from '../sdk-events/event-consumer.ts'
import { writeChange } from '../sdk-events/write-change.ts'
import { exposedVariations } from './exposed-variations.ts'
import { type CountedEnvironment, preEventChanges } from './pre-events.ts'
import { unitChange } from './unit-change.ts'
import { unitIds } from './unit-id.ts'

/**
 * Returns the changes with which an event consumer counts exposures and the events of metrics for the measurements of
 * an environment (docs/decisions/0060-count-each-unit-once-in-running-sums.md).
 */
export async function measurementChanges(
  storage: EventStorage,
  environmentKeys: EnvironmentKeys,
  items: readonly ReportedItem[],
  host: Host,
): Promise<readonly Change[]> {
  const environment = { storage, environmentKeys, host }
  const now = host.now()
  const active = await countingMeasurements(storage, environmentKeys, now)
  const reports = active
    .map((measurement) => ({ measurement, units: unitReports(measurement, items) }))
    .filter(({ units }) => units.size > 0)
  const events = items.filter((item) => item.kind === 'event')
  const changes = await Promise.all([
    preEventChanges(environment, events),
    ...reports.map((report) => countReports(environment, report)),
  ])
  return changes.flat()
}

/** No limit, because every measurement must be read. */
const noLimit = 2 ** 31 - 1

async function countingMeasurements(
  storage: EventStorage,
  environmentKeys: EnvironmentKeys,
  now: number,
): Promise<Measurement[]> {
  const scope = measurements.address.scope({ ...environmentKeys, measurementId: '' })
  const where = [countingAt(now)]
  const query = { collection: measurements.name, scope, where, limit: noLimit, select: 'bodies' } as const
  const { items } = await storage.list(query)
  return items.map(({ body }) => body as Measurement)
}

/** The reports of a unit, in lists to which further reports can be added. */
type CollectedReports = { -readonly [Name in keyof UnitReports]: UnitReports[Name][number][] }

/**
 * An empty list that all units share for the kinds of reports that they do not have: nearly every unit has reports of
 * one kind in a batch. Nothing is added to it.
 */
const noReports: never[] = []

/** Adds an item to a list and returns the list. If the list is the shared empty list, returns a new one. */
function withItem<T>(list: T[], item: T): T[] {
  if (list === noReports) return [item]
  list.push(item)
  return list
}

interface MeasurementReports {
  readonly measurement: Measurement
  readonly units: ReadonlyMap<string, UnitReports>
}

/** Returns what items report about a measurement, by key of the unit's context. */
function unitReports(measurement: Measurement, items: readonly ReportedItem[]): Map<string, UnitReports> {
  const { metrics, randomizationUnit, startedAt, endedAt, preFrom } = measurement
  const eventIndex = new Map(eventKeysOf(metrics).map((key, index) => [key, index]))
  const variationOf = exposedVariations(measurement)
  const units = new Map<string, CollectedReports>()
  const reportsOf = (contextKey: string) => {
    const known = units.get(contextKey)
    if (known) return known
    const reports: CollectedReports = { exposures: noReports, events: noReports, preEvents: noReports }
    units.set(contextKey, reports)
    return reports
  }
  for (const item of items) {
    const contextKey = item.contextKeys[randomizationUnit]
    const isInTime = item.at >= (preFrom ?? startedAt) && item.at < (endedAt ?? Number.POSITIVE_INFINITY)
    // The key of a legacy user may be empty, which identifies no unit.
    if (!isInTime || !contextKey) continue
    const isBefore = item.at < startedAt
    if (item.kind === 'exposure') {
      const variation = isBefore ? undefined : variationOf(item)
      if (variation === undefined) continue
      const reports = reportsOf(contextKey)
      reports.exposures = withItem(reports.exposures, exposureOf(measurement, item, variation))
    } else {
      const event = eventIndex.get(item.key)
      if (event === undefined) continue
      const { at, key, value } = item
      const counted = value === undefined ? { at } : { at, value }
      const reports = reportsOf(contextKey)
      if (isBefore) reports.preEvents = withItem(reports.preEvents, { ...counted, eventKey: key })
      else reports.events = withItem(reports.events, { ...counted, event })
    }
  }
  return units
}

function exposureOf(
  { attributes }: Measurement,
  { at, attributes: reported }: ReportedExposure,
  variation: number,
): Exposure {
  if (!attributes?.length) return { at, variation }
  return {
    at,
    variation,
    attributes: attributes.map(({ contextKind, attribute }) => {
      const name = `${contextKind} ${attribute}`
      return Object.hasOwn(reported, name) ? (reported[name] as string) : null
    }),
  }
}

/**
 * Makes the changes of the units and sums, with the precondition that the measurement has not changed since it was
 * read.
 */
async function countReports(
  { storage, environmentKeys, host }: CountedEnvironment,
  { measurement, units }: MeasurementReports,
): Promise<readonly Change[]> {
  const now = host.now()
  const keys = { ...environmentKeys, measurementId: measurement.id }
  const ids = await unitIds([...units.keys()], host)
  const day = new Date(now).toISOString().slice(0, 10)
  const [storedTotal, storedDay, ...storedUnits] = await storage.getMany([
    measurementSums.id({ ...keys, part: 'total' }),
    measurementSums.id({ ...keys, part: day }),
    ...ids.map((id) => measuredUnits.id({ ...keys, unitId: id })),
  ])
  const total = storedTotal?.body as MeasurementSums | undefined
  const sums = continuedSums(total, measurement)
  const retainedParts = { preFrom: measurement.preFrom, funnels: funnelsOf(measurement.groups, measurement.metrics) }
  const changes: Change[] = [{ do: 'expect', id: measurements.id(keys), version: measurement.version }]
  for (const [index, reported] of [...units.values()].entries()) {
    const before = storedUnits[index]?.body as StoredUnit | undefined
    const after = withReports(before ?? {}, reported, now, retainedParts)
    if (isUnchanged(before, after, reported)) continue
    sums.replaceUnit(before ?? {}, after)
    changes.push(unitChange({ ...keys, unitId: ids[index] as string }, before, after))
  }
  if (changes.length === 1) return []
  const { variations: sumsOfVariations, mixedUnits, attributes: byAttribute } = sums.result()
  const written = {
    variations: sumsOfVariations,
    mixedUnits,
    at: now,
    lastEventAt: lastEvents(measurement, total?.lastEventAt, units),
  }
  const withAttributes = byAttribute ? { ...written, attributes: byAttribute } : written
  return [
    ...changes,
    writeChange(measurementSums, { ...keys, part: 'total' }, total, withAttributes),
    writeChange(measurementSums, { ...keys, part: day }, storedDay, withoutBins(written)),
  ]
}

/**
 * Returns true when a unit does not change. Most exposures are repetitions and change nothing, so they cost no write.
 */
function isUnchanged(
  before: StoredUnit | undefined,
  after: MeasuredUnit,
  { events, preEvents }: Pick<UnitReports, 'events' | 'preEvents'>,
): boolean {
  if (!before && !after.exposure && !after.early && !after.pre) return true
  if (!before?.exposure || before.exposure !== after.exposure) return false
  return before.mixed === true || (events.length === 0 && preEvents.length === 0 && !after.mixed)
}

function lastEvents(
  { metrics }: Measurement,
  before: readonly number[] | undefined,
  units: MeasurementReports['units'],
): number[] {
  const keys = eventKeysOf(metrics)
  const latest = keys.map(() => 0)
  for (const { events } of units.values())
    for (const { event, at } of events) latest[event] = Math.max(latest[event] as number, at)
  return metrics.map(({ eventKey }, index) => Math.max(before?.[index] ?? 0, latest[keys.indexOf(eventKey)] as number))
}

/** Removes the bins from the sums of a day. The sums of days are for charts over time, which show means only. */
function withoutBins<T extends Pick<MeasurementSums, 'variations'>>(sums: T): T {
  return {
    ...sums,
    variations: sums.variations.map(({ metrics, ...variation }) => ({
      ...variation,
      metrics: metrics.map(({ bins: _, ...rest }) => rest),
    })),
  }
}
