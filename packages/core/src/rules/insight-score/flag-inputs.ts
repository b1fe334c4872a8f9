import { eachStatus, type FlagHistory } from '../insight-charts/flag-history.ts'
import type { MissingScore } from './rating.ts'
import { isWithin, type ScorePeriod } from './score-period.ts'
import { insightScoreTable } from './score-table.ts'

/** Times of a flag for the creation ratio, in integer ms. */
export interface ScoredFlag {
  readonly createdAt: number
  /** Absent while the flag is not archived. */
  readonly archivedAt?: number
}

/**
 * Returns the share of temporary flags that were stale at the end of a period: older than 30 days, and inactive or
 * launched by their status (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d26-scores), counted as in the chart
 * of stale flags. A flag whose configuration at that time is unknown is not stale; a flag that was deleted since then
 * is not counted.
 *
 * @param flags flags that are not temporary are ignored.
 */
export function flagHealthInput(flags: Iterable<FlagHistory>, { endTime }: ScorePeriod): number | MissingScore {
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

/** Returns the number of flags archived in a period per flag created in it; `notCalculated` if none was created. */
export function creationRatioInput(flags: readonly ScoredFlag[], period: ScorePeriod): number | MissingScore {
  const created = flags.filter(({ createdAt }) => isWithin(period, createdAt)).length
  const archived = flags.filter(({ archivedAt }) => archivedAt !== undefined && isWithin(period, archivedAt)).length
  return created === 0 ? 'notCalculated' : archived / created
}
