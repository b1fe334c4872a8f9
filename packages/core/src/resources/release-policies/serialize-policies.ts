import type { PolicyRanking } from '../../models/release-policies/policy-ranking.ts'
import { releasePolicies } from '../../models/release-policies/release-policy.ts'
import type { ReadContext } from '../../operation/context.ts'
import { serializeRanked } from './release-policy-schema.ts'

/** Serializes policies in the order of their keys. Policies that were deleted concurrently are omitted. */
export async function serializePolicies(
  context: ReadContext,
  projectKey: string,
  policyKeys: readonly string[],
  ranking: PolicyRanking,
) {
  const keysList = policyKeys.map((policyKey) => ({ projectKey, policyKey }))
  const policies = await context.tx.getMany(releasePolicies, keysList)
  return Promise.all(
    keysList.flatMap((keys, index) => {
      const policy = policies[index]
      return policy ? [serializeRanked(context, policy, keys, ranking)] : []
    }),
  )
}
