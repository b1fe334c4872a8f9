import { type MigrationStage, migrationStages } from '../migration-safety/stages.ts'
import type { Evaluated } from './evaluated.ts'

/** At which stage of a migration a context is. */
export type EvaluatedStage = Evaluated<MigrationStage>

/**
 * The stage that the value of a migration flag names.
 *
 * @param evaluated what the flag is for a context.
 * @param fallback the stage where it has no value, or one that is no stage: then the reason is `WRONG_TYPE`.
 */
export function migrationStageOf(evaluated: Evaluated, fallback: MigrationStage): EvaluatedStage {
  const { value, reason } = evaluated
  const stage = migrationStages[6].find((one) => one === value)
  if (stage) return evaluated as EvaluatedStage
  if (value === undefined) return { value: fallback, variationIndex: null, reason }
  return { value: fallback, variationIndex: null, reason: { kind: 'ERROR', errorKind: 'WRONG_TYPE' } }
}
