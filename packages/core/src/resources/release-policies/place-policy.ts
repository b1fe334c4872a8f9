import { environments } from '../../models/environments/environment.ts'
import type { Context } from '../../operation/context.ts'
import { reference, validateReferences } from '../../operation/references.ts'
import type { Fault } from '../../rules/json-guard.ts'
import type { Writer } from '../../storage/writer.ts'
import { type PolicyRanking, policyRankings, ranked, rankingOf, unranked } from './policy-ranking.ts'
import { mostPolicies, type PolicyKeys, type ReleasePolicy } from './release-policy.ts'

/**
 * Validates a policy, and gives it a rank among the others.
 *
 * @param before the stored policy; undefined for a new one.
 * @throws ApiError `invalid_request` naming the invalid properties.
 */
export async function placePolicy(
  { tx, fail }: Context<Writer, 'invalid_request'>,
  keys: PolicyKeys,
  before: ReleasePolicy | undefined,
  policy: ReleasePolicy,
): Promise<void> {
  const [ranking, unknown] = await Promise.all([
    rankingOf(tx, keys),
    validateReferences(tx, environmentsNamed(keys, before, policy)),
  ])
  const errors = [...unknown, ...methodFaults(policy), ...rankingFaults(ranking, before, policy)]
  if (errors.length > 0) fail('invalid_request', { errors })
  if (!before && ranking.scoped.length + (ranking.defaultKey === undefined ? 0 : 1) >= mostPolicies) {
    fail('invalid_request', { message: `A project can have at most ${mostPolicies} release policies` })
  }
  const scoped = policy.scope !== undefined
  if (before && (before.scope !== undefined) === scoped) return
  tx.follow(policyRankings, keys, ranking, ranked(unranked(ranking, policy.key), policy.key, scoped))
}

/** Returns references to the environments that a policy adds. Earlier ones may have been deleted since. */
function environmentsNamed({ projectKey }: PolicyKeys, before: ReleasePolicy | undefined, { scope }: ReleasePolicy) {
  const known = before?.scope?.environmentKeys ?? []
  return (scope?.environmentKeys ?? []).flatMap((environmentKey, at) =>
    known.includes(environmentKey)
      ? []
      : reference(
          `scope.environmentKeys.${at}`,
          environments,
          { projectKey, environmentKey },
          'must be the key of an environment of the project',
        ),
  )
}

/** The method that each configuration property belongs to. */
const methodsOf = {
  guardedReleaseConfig: 'guarded-release',
  progressiveReleaseConfig: 'progressive-release',
} as const satisfies Partial<Record<keyof ReleasePolicy, ReleasePolicy['releaseMethod']>>

function methodFaults(policy: ReleasePolicy): Fault[] {
  return (['guardedReleaseConfig', 'progressiveReleaseConfig'] as const).flatMap((attribute) =>
    policy[attribute] && policy.releaseMethod !== methodsOf[attribute]
      ? [{ attribute, reason: `must be left out, except when the release method is ${methodsOf[attribute]}` }]
      : [],
  )
}

function rankingFaults(
  { defaultKey }: PolicyRanking,
  before: ReleasePolicy | undefined,
  { key, scope }: ReleasePolicy,
) {
  if (scope || defaultKey === undefined || (before && defaultKey === key)) return []
  return [{ attribute: 'scope', reason: `must be present: ${defaultKey} is the default policy of the project` }]
}
