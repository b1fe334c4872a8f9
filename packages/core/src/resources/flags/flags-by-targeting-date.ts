import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { type Flag, flags } from '../../models/flags/flag.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import type { PageQuery } from '../../operation/link.ts'
import { compareCodePoints } from '../../storage/code-point-order.ts'
import type { Condition } from '../../storage/port.ts'
import type { ListResult, Reader } from '../../storage/reader.ts'

const noLimit = Number.MAX_SAFE_INTEGER

/**
 * Returns a page of flags by the time of the last change of their configuration in an environment; the time of creation
 * for a configuration that was never changed, which is not stored. Ties are broken by key.
 *
 * Reads the narrow rows of all flags that match, and of the environment, because their orders are in two collections.
 */
export async function flagsByTargetingDate(
  tx: Reader,
  { projectKey, environmentKey }: EnvironmentKeys,
  { where, descending }: { readonly where: readonly Condition[]; readonly descending: boolean },
  { limit, offset }: PageQuery,
): Promise<ListResult<Flag>> {
  const [rows, configs] = await Promise.all([
    tx.listRows(flags, { projectKey }, { where, limit: noLimit }),
    tx.listRows(flagConfigs, { projectKey, environmentKey }, { limit: noLimit }),
  ])
  const changedAt = new Map(configs.items.map(({ key, fields }) => [key, fields.lastModified as number]))
  const sign = descending ? -1 : 1
  const keys = rows.items
    .map(({ key, fields }) => ({ key, at: changedAt.get(key) ?? (fields.createdAt as number) }))
    .sort((a, b) => sign * (a.at - b.at) || compareCodePoints(a.key, b.key))
    .slice(offset, offset + limit)
  const items = await tx.getMany(
    flags,
    keys.map(({ key: flagKey }) => ({ projectKey, flagKey })),
  )
  return { items: items.filter((flag) => flag !== undefined), total: rows.total }
}
