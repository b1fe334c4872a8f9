import { type MigrationStage, migrationStages } from '../migration-safety/stages.ts'
import type { EvaluationResult } from './evaluation-result.ts'

/** Migration stage of a context. */
export type MigrationStageResult = EvaluationResult<MigrationStage>

/**
 * Returns the stage that the value of a migration flag names.
 *
 * @param result result of the flag for a context.
 * @param fallback stage to return if the flag has no value, or a value that is not a stage: then the reason is
 *   `WRONG_TYPE`.
 */
export function migrationStageOf(result: EvaluationResult, fallback: MigrationStage): MigrationStageResult {
  const { value, reason } = result
  const stage = migrationStages[6].find((candidate) => candidate === value)
  if (stage) return result as MigrationStageResult
  if (value === undefined) return { value: fallback, variationIndex: null, reason }
  return { value: fallback, variationIndex: null, reason: { kind: 'ERROR', errorKind: 'WRONG_TYPE' } }
}
