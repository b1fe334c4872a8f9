import { measuredUnits, type StoredUnit } from '../../models/measurements/measurement.ts'
import type { MeasuredUnit } from '../../rules/measurement/measured-unit.ts'
import { endOfLastDay, preKeptMs } from '../../rules/measurement/pre-period.ts'
import type { Change } from '../../storage/port.ts'
import { writeChange } from '../sdk-events/write-change.ts'

/** Makes the change that stores the state of a unit. */
export function unitChange(
  keys: Parameters<typeof measuredUnits.id>[0],
  before: StoredUnit | undefined,
  unit: MeasuredUnit,
): Change {
  return writeChange(measuredUnits, keys, before, unit.exposure ? unit : { ...unit, ...retention(unit) })
}

/** Returns the times by which `compact` removes a unit without exposure. */
function retention({ early, pre }: MeasuredUnit): Pick<StoredUnit, 'waitingSince' | 'keptUntil'> {
  const lastDay = endOfLastDay(pre)
  if (lastDay !== undefined) return { keptUntil: lastDay + preKeptMs }
  return { waitingSince: Math.max(0, ...(early ?? []).map(({ at }) => at)) }
}
