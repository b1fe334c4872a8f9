import { flagUses } from '../../../models/flag-evaluations/flag-evaluation.ts'
import type { ReadContext } from '../../../operation/context.ts'
import { filteredValues, replaceFieldConditions } from '../../../operation/filters/filtered-values.ts'
import type { TermField, TermFields } from '../../../operation/filters/term-conditions.ts'
import type { Condition } from '../../../storage/port.ts'
import type { FilteredEnvironments } from '../filtered-environments.ts'
import { withVisibleStatus } from './visible-statuses.ts'

const limit = Number.MAX_SAFE_INTEGER

const field = 'evaluatedAfter'

const evaluated: TermField = (value, column) => {
  const { after, ...others } = value.kind === 'object' ? value.properties : {}
  return Number.isSafeInteger(after) && Object.keys(others).length === 0
    ? { op: 'anyOf', field, values: [after as number] }
    : { column, expected: 'an object with "after" in Unix milliseconds' }
}

/** Filter of flags by the time of their last evaluation. `flagsEvaluatedAfter` handles it. */
export const evaluatedFields: TermFields = { evaluated }

/** Returns true when a condition is on the time of the last evaluation. */
export function concernsEvaluation(conditions: readonly Condition[]): boolean {
  return filteredValues(conditions, field).length > 0
}

/** Returns the conditions on rows that contain the time of the last evaluation. */
export function onLastRequested(conditions: readonly Condition[]): readonly Condition[] {
  return conditions.map((condition) =>
    replaceFieldConditions(condition, field, (values) => ({ op: 'or', any: values.map(lastRequestedAfter) })),
  )
}

function lastRequestedAfter(after: string | number): Condition {
  return { op: 'range', field: 'lastRequested', from: Number(after) + 1 }
}

/**
 * Replaces `evaluated` in conditions on flags by the keys of the flags that were evaluated after the time in one of the
 * environments, if the caller may view their status.
 */
export async function flagsEvaluatedAfter(
  context: Pick<ReadContext, 'tx' | 'allowed'>,
  { projectKey, environmentKeys }: FilteredEnvironments,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const keysAfter = new Map<string | number, readonly string[]>()
  for (const after of filteredValues(conditions, field)) {
    const keysByEnvironment = await Promise.all(
      environmentKeys.map(async (environmentKey) => {
        const keys = { projectKey, environmentKey }
        const { items } = await context.tx.listRows(flagUses, keys, { where: [lastRequestedAfter(after)], limit })
        const flagKeys = items.map(({ key }) => key)
        return withVisibleStatus(context, keys, flagKeys)
      }),
    )
    keysAfter.set(after, [...new Set(keysByEnvironment.flat())])
  }
  return conditions.map((condition) =>
    replaceFieldConditions(condition, field, (values) => ({
      op: 'anyOf',
      field: 'key',
      values: values.flatMap((after) => keysAfter.get(after) ?? []),
    })),
  )
}
