import type { EnvironmentKeys } from '../../models/environments/environment-keys.ts'
import { activeReleases } from '../../models/flags/automated-release.ts'
import { flagConfigs } from '../../models/flags/flag-config.ts'
import { scheduledChanges } from '../../models/scheduled-changes/scheduled-change.ts'
import { filteredValues, replaceFieldConditions } from '../../operation/filters/filtered-values.ts'
import { anyText, type TermFields } from '../../operation/filters/term-conditions.ts'
import { parseAddress } from '../../rules/address.ts'
import type { Condition } from '../../storage/port.ts'
import type { Reader } from '../../storage/reader.ts'
import { loadEnvironments } from './flag-state.ts'

const limit = Number.MAX_SAFE_INTEGER

/** Filters of flags by pending work in an environment, such as a scheduled change. `flagsWithPending` handles them. */
export const pendingFields: TermFields = { releasingIn: anyText('releasingIn'), scheduledIn: anyText('scheduledIn') }

const lookUps: Readonly<Record<string, (tx: Reader, keys: EnvironmentKeys) => Promise<readonly string[]>>> = {
  releasingIn: releasingFlags,
  scheduledIn: scheduledFlags,
}

/**
 * Replaces `releasingIn` and `scheduledIn` in conditions on flags by the keys of the flags. Environments that do not
 * exist match no flag.
 */
export async function flagsWithPending(
  tx: Reader,
  projectKey: string,
  conditions: readonly Condition[],
): Promise<readonly Condition[]> {
  let replaced = conditions
  for (const [field, lookUp] of Object.entries(lookUps)) {
    const environmentKeys = new Set(filteredValues(conditions, field))
    if (environmentKeys.size === 0) continue
    const environments = (await loadEnvironments(tx, projectKey)).filter(({ key }) => environmentKeys.has(key))
    const flagKeysByEnvironment = await Promise.all(
      environments.map(async ({ key }) => [key, await lookUp(tx, { projectKey, environmentKey: key })] as const),
    )
    const keysByEnvironment = new Map<unknown, readonly string[]>(flagKeysByEnvironment)
    replaced = replaced.map((condition) =>
      replaceFieldConditions(condition, field, (values) => ({
        op: 'anyOf',
        field: 'key',
        values: values.flatMap((value) => keysByEnvironment.get(value) ?? []),
      })),
    )
  }
  return replaced
}

async function scheduledFlags(tx: Reader, keys: EnvironmentKeys): Promise<readonly string[]> {
  const { items } = await tx.listRows(scheduledChanges, keys, { deep: true, limit })
  return [...new Set(items.map(({ scope }) => parseAddress(scope)?.at(-1)?.key ?? ''))]
}

/** Rows that an earlier version of the engine wrote lack the field, so their documents are read. */
const mayBeReleasing: Condition = {
  op: 'or',
  any: [
    { op: 'equals', field: 'releasing', value: true },
    { op: 'exists', field: 'releasing', value: false },
  ],
}

async function releasingFlags(tx: Reader, keys: EnvironmentKeys): Promise<readonly string[]> {
  const { items } = await tx.listRows(flagConfigs, keys, { where: [mayBeReleasing], limit })
  const flagKeys = items.map(({ key }) => key)
  const configs = await tx.getMany(
    flagConfigs,
    flagKeys.map((flagKey) => ({ ...keys, flagKey })),
  )
  return flagKeys.filter((_, index) => activeReleases(configs[index] ?? {}).length > 0)
}
