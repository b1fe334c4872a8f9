import { changeLog } from '../../operation/change-log/change-log.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { UnitOfWork } from '../../storage/unit-of-work.ts'

const dayMs = 86_400_000

/**
 * Permanently deletes old entries of the change log.
 *
 * @param now the current time, integer ms, UTC.
 * @param days entries older than this number of days are deleted.
 * @returns the number of deleted entries.
 */
export async function trimChangeLog(storage: AccountStorage, now: number, days: number): Promise<number> {
  const unit = new UnitOfWork(storage)
  const trimmed = unit.trim(changeLog, {}, now - days * dayMs)
  await unit.commit()
  return trimmed.count
}
