import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import { flagConfigs } from '../../../models/flags/flag-config.ts'
import { parseAddress } from '../../../rules/address.ts'
import type { Reader } from '../../../storage/reader.ts'

/** A flag that has another flag as prerequisite, and the keys of the environments in which it does. */
export interface Dependent {
  readonly flag: Flag
  readonly environmentKeys: readonly string[]
}

const pageSize = 1000

/**
 * Returns the flags that have a flag as prerequisite, by key.
 *
 * @param within limits the search to one environment; default: the whole project.
 */
export async function dependentsOf(
  tx: Reader,
  { projectKey, flagKey }: FlagKeys,
  within: { readonly environmentKey?: string } = {},
): Promise<Dependent[]> {
  const environmentsByFlag = new Map<string, string[]>()
  const where = [{ op: 'equals', field: 'prerequisites', value: flagKey } as const]
  const order = [{ field: 'key', type: 'text' } as const]
  for (let offset = 0, hasMore = true; hasMore; offset += pageSize) {
    const options = { deep: true, where, order, limit: pageSize, offset } as const
    const { items, total } = await tx.listRows(flagConfigs, { projectKey, ...within }, options)
    for (const { key, scope } of items) {
      environmentsByFlag.set(key, [...(environmentsByFlag.get(key) ?? []), parseAddress(scope)?.at(-1)?.key as string])
    }
    hasMore = offset + pageSize < total
  }
  const keys = [...environmentsByFlag.keys()]
  const existing = await tx.getMany(
    flags,
    keys.map((key) => ({ projectKey, flagKey: key })),
  )
  return existing.flatMap((flag) =>
    flag ? [{ flag, environmentKeys: environmentsByFlag.get(flag.key) as string[] }] : [],
  )
}
