import { flagFollowers } from '../../models/flag-followers/flag-followers.ts'
import { filteredValues, replaceFieldConditions } from '../../operation/filters/filtered-values.ts'
import { anyText, type TermFields } from '../../operation/filters/term-conditions.ts'
import { parseAddress } from '../../rules/address.ts'
import type { Condition } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import type { FilteredEnvironments } from './filtered-environments.ts'

/** Filters of flags by the members who follow them. `flagsWithFollowers` handles them. */
export const followerFields: TermFields = { followerId: anyText('followerId') }

/**
 * Replaces `followerId` in conditions on flags by the keys of the flags that one of the members follows. Members and
 * environments that do not exist match no flag.
 */
export async function flagsWithFollowers(
  tx: Reader,
  { projectKey, environmentKeys }: FilteredEnvironments,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  const isNamed = (scope: string) =>
    environmentKeys.length === 0 || environmentKeys.includes(parseAddress(scope)?.at(-1)?.key ?? '')
  return Promise.all(
    conditions.map(async (condition) => {
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
