/**
 * Stages of a migration, in order, by the number of stages
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d23-migration-safety).
 */
export const migrationStages = {
  2: ['off', 'complete'],
  4: ['off', 'shadow', 'live', 'complete'],
  6: ['off', 'dualwrite', 'shadow', 'live', 'rampdown', 'complete'],
} as const

/** Number of stages that a migration can have. */
export type StageCount = keyof typeof migrationStages

/** A stage of a migration. */
export type MigrationStage = (typeof migrationStages)[6][number]

/** Use of the two systems at a stage (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d23-migration-safety). */
interface StageTraits {
  readonly readsOld: boolean
  readonly readsNew: boolean
  /** True if the data of contexts that stay at this stage are in the new system, including old data. */
  readonly backfilled: boolean
  /** True if changes are still written to the old system. */
  readonly writesOld: boolean
}

export const stageTraits: Readonly<Record<MigrationStage, StageTraits>> = {
  off: { readsOld: true, readsNew: false, backfilled: false, writesOld: true },
  dualwrite: { readsOld: true, readsNew: false, backfilled: false, writesOld: true },
  shadow: { readsOld: true, readsNew: true, backfilled: true, writesOld: true },
  live: { readsOld: true, readsNew: true, backfilled: true, writesOld: true },
  rampdown: { readsOld: false, readsNew: true, backfilled: true, writesOld: true },
  complete: { readsOld: false, readsNew: true, backfilled: true, writesOld: false },
}
