import type { EnvironmentKeys } from '../../../models/environments/environment-keys.ts'
import type { Flag } from '../../../models/flags/flag.ts'
import { rankingOf } from '../../../models/release-policies/policy-ranking.ts'
import {
  type PolicyScope,
  type ReleasePolicy,
  releasePolicies,
} from '../../../models/release-policies/release-policy.ts'
import type { Reader } from '../../../storage/reader.ts'

/**
 * Returns the policy that applies to changes of a flag in an environment: the policy with the highest rank among the
 * policies whose scope matches, otherwise the default policy of the project.
 */
export async function applyingPolicy(
  tx: Reader,
  { projectKey, environmentKey }: EnvironmentKeys,
  { tags }: Pick<Flag, 'tags'>,
): Promise<ReleasePolicy | undefined> {
  const { scoped, defaultKey } = await rankingOf(tx, { projectKey })
  const candidates = defaultKey === undefined ? scoped : [...scoped, defaultKey]
  if (candidates.length === 0) return undefined
  const policies = await tx.getMany(
    releasePolicies,
    candidates.map((policyKey) => ({ projectKey, policyKey })),
  )
  return policies.find((policy) => policy && (!policy.scope || isInScope(policy.scope, environmentKey, tags)))
}

/**
 * Returns true if a flag with these tags is in a scope. An empty list in a scope matches all environments, or all
 * flags.
 */
function isInScope({ environmentKeys, flagTagKeys }: PolicyScope, environmentKey: string, tags: readonly string[]) {
  return (
    (environmentKeys.length === 0 || environmentKeys.includes(environmentKey)) &&
    (flagTagKeys.length === 0 || flagTagKeys.some((tag) => tags.includes(tag)))
  )
}
