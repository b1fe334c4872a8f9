import { type Flag, type FlagKeys, flags } from '../../../models/flags/flag.ts'
import { flagConfigs } from '../../../models/flags/flag-config.ts'
import { parseAddress } from '../../../rules/address.ts'
import type { Reader } from '../../../storage/reader.ts'

/** A flag that has another flag as prerequisite, and the keys of the environments in which it does. */
export interface Dependent {
  readonly flag: Flag
  readonly environmentKeys: readonly string[]
}

const chunk = 1000

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
  const found = new Map<string, string[]>()
  const where = [{ op: 'equals', field: 'prerequisites', value: flagKey } as const]
  const order = [{ field: 'key', type: 'text' } as const]
  for (let offset = 0, more = true; more; offset += chunk) {
    const options = { deep: true, where, order, limit: chunk, offset } as const
    const { items, total } = await tx.listRows(flagConfigs, { projectKey, ...within }, options)
    for (const { key, scope } of items) {
      found.set(key, [...(found.get(key) ?? []), parseAddress(scope)?.at(-1)?.key as string])
    }
    more = offset + chunk < total
  }
  const keys = [...found.keys()]
  const list = await tx.getMany(
    flags,
    keys.map((key) => ({ projectKey, flagKey: key })),
  )
  return list.flatMap((flag) => (flag ? [{ flag, environmentKeys: found.get(flag.key) as string[] }] : []))
}
