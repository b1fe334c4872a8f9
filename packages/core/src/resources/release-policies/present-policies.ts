import type { ReadContext } from '../../operation/context.ts'
import type { PolicyRanking } from './policy-ranking.ts'
import { releasePolicies } from './release-policy.ts'
import { presentRanked } from './release-policy-wire.ts'

/** Serializes policies in the order of their keys. Policies that were deleted concurrently are omitted. */
export async function presentPolicies(
  context: ReadContext,
  projectKey: string,
  policyKeys: readonly string[],
  ranking: PolicyRanking,
) {
  const places = policyKeys.map((policyKey) => ({ projectKey, policyKey }))
  const found = await context.tx.getMany(releasePolicies, places)
  return Promise.all(
    places.flatMap((place, at) => {
      const policy = found[at]
      return policy ? [presentRanked(context, policy, place, ranking)] : []
    }),
  )
}
