import { eachStatus, type FlagHistory } from '../insight-charts/flag-history.ts'
import type { Missing } from './rated.ts'
import { isWithin, type ScorePeriod } from './score-period.ts'
import { insightScoreTable } from './score-table.ts'

/** What the ratio of creation asks of a flag; moments in integer ms. */
export interface ScoredFlag {
  readonly createdAt: number
  /** Left out while it is not archived. */
  readonly archivedAt?: number
}

/**
 * Which share of the temporary flags was stale at the end of a period: older than 30 days, and inactive or launched by
 * its status (D26), as the chart of stale flags counts them. One of which nobody knows how it was configured then is not
 * stale; one that was deleted since is not counted.
 *
 * @param flags those that are not temporary do not count.
 */
export function flagHealthInput(flags: Iterable<FlagHistory>, { endTime }: ScorePeriod): number | Missing {
  let temporary = 0
  let stale = 0
  for (const flag of flags) {
    if (!flag.temporary || flag.from > endTime || flag.to <= endTime) continue
    temporary++
    if (flag.createdAt >= endTime - insightScoreTable.staleAfterMs) continue
    eachStatus(flag, { from: endTime, to: endTime + 1 }, (status) => {
      if (status === 'inactive' || status === 'launched') stale++
    })
  }
  return temporary === 0 ? 'notCalculated' : stale / temporary
}

/** How many flags were archived in a period for each one that was created in it; `notCalculated` where none was. */
export function creationRatioInput(flags: readonly ScoredFlag[], period: ScorePeriod): number | Missing {
  const created = flags.filter(({ createdAt }) => isWithin(period, createdAt)).length
  const archived = flags.filter(({ archivedAt }) => archivedAt !== undefined && isWithin(period, archivedAt)).length
  return created === 0 ? 'notCalculated' : archived / created
}
