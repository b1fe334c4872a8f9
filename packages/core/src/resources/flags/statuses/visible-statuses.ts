import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import { flagConfigs } from '../../../models/flags/flag-config.ts'
import type { ReadContext } from '../../../operation/context.ts'

/** Returns true when the caller may view the status of every flag in an environment. */
export function viewsAllStatuses(
  context: Pick<ReadContext, 'allowed'>,
  { projectKey, environmentKey }: EnvironmentKeys,
): Promise<boolean> {
  // A decision for the key `*` is positive only if it is for each key (docs/decisions/0002-decide-access-by-policy.md).
  return context.allowed('viewFlagStatus', flagConfigs, { projectKey, environmentKey, flagKey: '*' })
}

/** Returns those of the given keys that belong to flags whose status in an environment the caller may view. */
export async function withVisibleStatus(
  context: Pick<ReadContext, 'allowed'>,
  environmentKeys: EnvironmentKeys,
  flagKeys: readonly string[],
): Promise<readonly string[]> {
  if (await viewsAllStatuses(context, environmentKeys)) return flagKeys
  const { projectKey, environmentKey } = environmentKeys
  const visible = await Promise.all(
    flagKeys.map((flagKey) => context.allowed('viewFlagStatus', flagConfigs, { projectKey, environmentKey, flagKey })),
  )
  return flagKeys.filter((_, index) => visible[index])
}
