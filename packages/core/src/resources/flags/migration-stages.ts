import type { MigrationSettings } from './flag.ts'

/** The stages of a migration, in order, by how many of them a flag has (D23). */
export const migrationStages = {
  2: ['off', 'complete'],
  4: ['off', 'shadow', 'live', 'complete'],
  6: ['off', 'dualwrite', 'shadow', 'live', 'rampdown', 'complete'],
} as const satisfies Record<MigrationSettings['stageCount'], readonly string[]>

export type MigrationStage = (typeof migrationStages)[6][number]
