import { flagFollowers } from '../../models/flag-followers/flag-followers.ts'
import type { Context } from '../../operation/context.ts'
import { filteredValues, replaceFieldConditions } from '../../operation/filters/filtered-values.ts'
import { anyText, type TermFields } from '../../operation/filters/term-conditions.ts'
import { parseAddress } from '../../rules/address.ts'
import type { Condition } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'

/** Filters of flags by the members who follow them. `flagsWithFollowers` handles them. */
export const followerFields: TermFields = { followerId: anyText('followerId'), filterEnv: anyText('filterEnv') }

/**
 * Replaces `followerId` in conditions on flags by the keys of the flags that one of the members follows: in the
 * environments of `filterEnv`, or in any environment without it. Members and environments that do not exist match no
 * flag. Fails with `invalid_request` when `filterEnv` has no `followerId` that it limits.
 */
export async function flagsWithFollowers(
  { tx, fail }: Context<Reader, 'invalid_request'>,
  projectKey: string,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const memberIds = filteredValues(conditions, 'followerId')
  const environmentKeys = new Set(filteredValues(conditions, 'filterEnv'))
  if (memberIds.length === 0) {
    if (environmentKeys.size === 0) return conditions
    fail('invalid_request', {
      errors: [{ attribute: 'filter', reason: 'must contain followerId when it contains filterEnv' }],
    })
  }
  const isNamed = (scope: string) =>
    environmentKeys.size === 0 || environmentKeys.has(parseAddress(scope)?.at(-1)?.key ?? '')
  const remaining = conditions.filter((condition) => filteredValues([condition], 'filterEnv').length === 0)
  return Promise.all(
    remaining.map(async (condition) => {
      const values = filteredValues([condition], 'followerId')
      if (values.length === 0) return condition
      const where = [{ op: 'anyOf', field: 'memberIds', values }] as const
      const { items } = await tx.listRows(
        flagFollowers,
        { projectKey },
        { deep: true, where, limit: Number.MAX_SAFE_INTEGER },
      )
      const flagKeys = new Set(items.filter(({ scope }) => isNamed(scope)).map(({ key }) => key))
      return replaceFieldConditions(condition, 'followerId', () => ({
        op: 'anyOf',
        field: 'key',
        values: [...flagKeys],
      }))
    }),
  )
}
