import { type MigrationStage, migrationStages } from '../migration-safety/stages.ts'
import type { Evaluated } from './evaluated.ts'

/** Migration stage of a context. */
export type EvaluatedStage = Evaluated<MigrationStage>

/**
 * Returns the stage that the value of a migration flag names.
 *
 * @param result result of the flag for a context.
 * @param fallback stage to return if the flag has no value, or a value that is not a stage: then the reason is
 *   `WRONG_TYPE`.
 */
export function migrationStageOf(evaluated: Evaluated, fallback: MigrationStage): EvaluatedStage {
  const { value, reason } = evaluated
  const stage = migrationStages[6].find((one) => one === value)
  if (stage) return evaluated as EvaluatedStage
  if (value === undefined) return { value: fallback, variationIndex: null, reason }
  return { value: fallback, variationIndex: null, reason: { kind: 'ERROR', errorKind: 'WRONG_TYPE' } }
}
