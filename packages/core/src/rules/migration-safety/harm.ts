import type { Cohort } from './cohorts.ts'
import { type Shares, type StageChange, stageChanges } from './shares.ts'
import { type StageCount, stageTraits } from './stages.ts'

/** The system whose data are harmed. */
export type System = 'old' | 'new'

/**
 * Returns the systems whose data are harmed if contexts move from one cohort to another, or stay in a cohort whose
 * served stages change.
 */
export type HarmFinder = (from: Cohort, to: Cohort) => readonly System[]

/** Creates a finder that caches its results by pairs of shares, because many rules serve the same shares. */
export function harmFinder(stageCount: StageCount): HarmFinder {
  const cache = new Map<Shares, Map<Shares, Record<'stay' | 'go', readonly System[]>>>()
  const findHarms = (from: Shares, to: Shares) => {
    const changes = stageChanges(from, to)
    return { stay: harmedSystems(stageCount, changes, fromOff), go: harmedSystems(stageCount, changes, notBackfilled) }
  }
  return (from, to) => {
    const row = cache.get(from.shares) ?? new Map()
    cache.set(from.shares, row)
    const harms = row.get(to.shares) ?? findHarms(from.shares, to.shares)
    row.set(to.shares, harms)
    return from.id === to.id ? harms.stay : harms.go
  }
}

function harmedSystems(
  stageCount: StageCount,
  changes: readonly StageChange[],
  isUnready: (change: StageChange) => boolean,
): System[] {
  const systems: System[] = []
  // Migrations with fewer stages have no dualwrite, so there is no backfill to wait for.
  if (stageCount === 6 && changes.some((change) => isUnready(change) && stageTraits[change.to].readsNew))
    systems.push('new')
  if (changes.some(isStale)) systems.push('old')
  return systems
}

/**
 * Returns true if a cohort that changes its stage was at `off`, where it was not backfilled. A cohort is backfilled
 * while it is at `dualwrite`, so it may proceed from `dualwrite` to the next stages.
 */
function fromOff({ from }: StageChange): boolean {
  return from === 'off'
}

/**
 * Returns true if contexts that move to another cohort come from `off` or `dualwrite`, where their data are not
 * backfilled yet. The backfill of the new cohort did not include them.
 */
function notBackfilled({ from }: StageChange): boolean {
  return !stageTraits[from].backfilled
}

function isStale({ from, to }: StageChange): boolean {
  return !stageTraits[from].writesOld && stageTraits[to].readsOld
}
