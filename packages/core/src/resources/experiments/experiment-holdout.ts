import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { holdouts } from '../../models/holdouts/holdout.ts'
import type { ValidationError } from '../../operation/errors.ts'
import type { Reader } from '../../storage/reader.ts'

/** Returns the holdout with an id in an environment. */
export async function findHoldout(tx: Reader, { projectKey, environmentKey }: EnvironmentKeys, id: string) {
  const where = [{ op: 'equals', field: 'id', value: id }] as const
  const { items } = await tx.list(holdouts, { projectKey, environmentKey }, { where, limit: 1 })
  return items[0]
}

/** Validates that a holdout exists and has not ended. */
export async function validateHoldout(
  tx: Reader,
  keys: EnvironmentKeys,
  id: string | undefined,
): Promise<ValidationError[]> {
  const holdout = id === undefined ? undefined : await findHoldout(tx, keys, id)
  const isValid = id === undefined || (holdout && holdout.endedAt === undefined)
  return isValid
    ? []
    : [{ attribute: 'holdoutId', reason: 'must be the _id of a holdout of the environment that has not ended' }]
}
