/** The stages of a migration, in order, by how many of them a flag has (D23). */
export const migrationStages = {
  2: ['off', 'complete'],
  4: ['off', 'shadow', 'live', 'complete'],
  6: ['off', 'dualwrite', 'shadow', 'live', 'rampdown', 'complete'],
} as const

/** How many stages a migration can have. */
export type StageCount = keyof typeof migrationStages

/** A stage of a migration. */
export type MigrationStage = (typeof migrationStages)[6][number]

/** What a stage does with the two systems (D23). */
interface StageTraits {
  readonly readsOld: boolean
  readonly readsNew: boolean
  /** Whether contexts that stayed at this stage are known to the new system, old data included. */
  readonly backfilled: boolean
  /** Whether the old system still learns what changes. */
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
