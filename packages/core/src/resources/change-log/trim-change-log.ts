import { changeLog } from '../../operation/change-log/change-log.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { UnitOfWork } from '../../storage/unit-of-work.ts'

const dayMs = 86_400_000

/**
 * Removes entries of the change log for good.
 *
 * @param now the present time, integer ms, UTC.
 * @param days entries that are older go.
 * @returns how many went.
 */
export async function trimChangeLog(storage: AccountStorage, now: number, days: number): Promise<number> {
  const unit = new UnitOfWork(storage)
  const trimmed = unit.trim(changeLog, {}, now - days * dayMs)
  await unit.commit()
  return trimmed.count
}
