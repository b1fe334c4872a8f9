import type { Missing } from './rated.ts'
import { insightScoreTable } from './score-table.ts'
import { isWithin, type ScorePeriod } from './score-period.ts'

/** What scores ask of a flag; moments in integer ms. */
export interface ScoredFlag {
  readonly key: string
  readonly temporary: boolean
  readonly createdAt: number
  /** Left out while it is not archived. */
  readonly archivedAt?: number
}

/**
 * Which share of the temporary flags was stale at the end of a period, as far as what is stored now tells: a flag that
 * was deleted since is not counted, and one whose targeting was changed since counts as not launched before.
 *
 * @param launchedSince since when everybody gets the same variation of a flag, ms, by its key; only of flags that are
 *   on.
 */
export function flagHealthInput(
  flags: readonly ScoredFlag[],
  launchedSince: ReadonlyMap<string, number>,
  { endTime }: ScorePeriod,
): number | Missing {
  const there = flags.filter(
    ({ temporary, createdAt, archivedAt = Infinity }) => temporary && createdAt <= endTime && archivedAt > endTime,
  )
  const { staleAfterMs, launchedForMs } = insightScoreTable
  const stale = there.filter(
    ({ key, createdAt }) =>
      createdAt < endTime - staleAfterMs && (launchedSince.get(key) ?? Infinity) <= endTime - launchedForMs,
  )
  return there.length === 0 ? 'notCalculated' : stale.length / there.length
}

/** How many flags were archived in a period for each one that was created in it; `notCalculated` where none was. */
export function creationRatioInput(flags: readonly ScoredFlag[], period: ScorePeriod): number | Missing {
  const created = flags.filter(({ createdAt }) => isWithin(period, createdAt)).length
  const archived = flags.filter(({ archivedAt }) => archivedAt !== undefined && isWithin(period, archivedAt)).length
  return created === 0 ? 'notCalculated' : archived / created
}
