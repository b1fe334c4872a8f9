import { environments } from '../../models/environments/environment.ts'
import {
  type PolicyRanking,
  policyRankings,
  rankingOf,
  withoutPolicy,
  withRankedPolicy,
} from '../../models/release-policies/policy-ranking.ts'
import { maxPolicies, type PolicyKeys, type ReleasePolicy } from '../../models/release-policies/release-policy.ts'
import type { Context } from '../../operation/context.ts'
import { reference, validateReferences } from '../../operation/references.ts'
import type { ValidationError } from '../../rules/json-guard.ts'
import type { Writer } from '../../storage/writer.ts'

/**
 * Validates a policy, and gives it a rank among the other policies.
 *
 * @param before the stored policy; undefined for a new policy.
 * @throws ApiError `invalid_request` naming the invalid properties.
 */
export async function rankPolicy(
  { tx, fail }: Context<Writer, 'invalid_request'>,
  keys: PolicyKeys,
  before: ReleasePolicy | undefined,
  policy: ReleasePolicy,
): Promise<void> {
  const [ranking, referenceErrors] = await Promise.all([
    rankingOf(tx, keys),
    validateReferences(tx, addedEnvironments(keys, before, policy)),
  ])
  const errors = [...referenceErrors, ...validateMethod(policy), ...validateRanking(ranking, before, policy)]
  if (errors.length > 0) fail('invalid_request', { errors })
  if (!before && ranking.scoped.length + (ranking.defaultKey === undefined ? 0 : 1) >= maxPolicies) {
    fail('invalid_request', { message: `A project can have at most ${maxPolicies} release policies` })
  }
  const hasScope = policy.scope !== undefined
  if (before && (before.scope !== undefined) === hasScope) return
  tx.follow(policyRankings, keys, ranking, withRankedPolicy(withoutPolicy(ranking, policy.key), policy.key, hasScope))
}

/**
 * Returns references to the environments that a policy adds. Environments that the policy already had are not included,
 * because they may have been deleted.
 */
function addedEnvironments({ projectKey }: PolicyKeys, before: ReleasePolicy | undefined, { scope }: ReleasePolicy) {
  const knownKeys = before?.scope?.environmentKeys ?? []
  return (scope?.environmentKeys ?? []).flatMap((environmentKey, index) =>
    knownKeys.includes(environmentKey)
      ? []
      : reference(
          `scope.environmentKeys.${index}`,
          environments,
          { projectKey, environmentKey },
          'must be the key of an environment of the project',
        ),
  )
}

/** The method that each configuration property belongs to. */
const methodByConfig = {
  guardedReleaseConfig: 'guarded-release',
  progressiveReleaseConfig: 'progressive-release',
} as const satisfies Partial<Record<keyof ReleasePolicy, ReleasePolicy['releaseMethod']>>

function validateMethod(policy: ReleasePolicy): ValidationError[] {
  return (['guardedReleaseConfig', 'progressiveReleaseConfig'] as const).flatMap((attribute) =>
    policy[attribute] && policy.releaseMethod !== methodByConfig[attribute]
      ? [{ attribute, reason: `must be left out, except when the release method is ${methodByConfig[attribute]}` }]
      : [],
  )
}

function validateRanking(
  { defaultKey }: PolicyRanking,
  before: ReleasePolicy | undefined,
  { key, scope }: ReleasePolicy,
) {
  if (scope || defaultKey === undefined || (before && defaultKey === key)) return []
  return [{ attribute: 'scope', reason: `must be present: ${defaultKey} is the default policy of the project` }]
}
