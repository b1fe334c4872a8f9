import { measuredUnits, measurements } from '../../models/measurements/measurement.ts'
import type { Host } from '../../operation/context.ts'
import type { CompactionResult } from '../../operation/tasks/maintenance.ts'
import { latenessMs } from '../../rules/measurement/lateness.ts'
import type { AccountStorage, Change } from '../../storage/port.ts'

/**
 * Removes units that are no longer needed: units that were never exposed and have had no event for a day (for a month
 * when events before the measurement are kept), and all units of measurements that ended more than a day ago. The sums
 * of these measurements remain, and events no longer change them.
 *
 * @returns zero summarized days, because this function summarizes nothing.
 */
export async function trimMeasurements(storage: AccountStorage, host: Pick<Host, 'now'>): Promise<CompactionResult> {
  const before = host.now() - latenessMs
  const { items } = await storage.list({
    collection: measurements.name,
    scope: '',
    deep: true,
    where: [{ op: 'range', field: 'endedAt', to: before }],
    limit: 2 ** 31 - 1,
    select: 'fields',
  })
  const removals = items.map(
    ({ scope, key }): Change => ({
      do: 'discard-all',
      collection: measuredUnits.name,
      scope: `${scope}:measurement/${key}`,
      where: [],
    }),
  )
  const notExposed = [
    { op: 'range', field: 'waitingSince', to: before },
    { op: 'range', field: 'keptUntil', to: host.now() },
  ] as const
  const where = [{ op: 'or', any: notExposed }] as const
  await storage.commit([...removals, { do: 'discard-all', collection: measuredUnits.name, scope: '', where }])
  return { days: 0, more: false }
}
