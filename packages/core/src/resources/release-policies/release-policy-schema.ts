import * as v from 'valibot'
import { keysByRank, type PolicyRanking, rankingOf } from '../../models/release-policies/policy-ranking.ts'
import {
  type PolicyKeys,
  type ReleasePolicy,
  releaseMethods,
  releasePolicies,
} from '../../models/release-policies/release-policy.ts'
import type { ReadContext } from '../../operation/context.ts'
import { accessDetails, key, list, name, tags } from '../../operation/schema.ts'
import { releaseStages } from '../flags/automation/release-stages.ts'
import { distinctKeys } from '../members/member-schema.ts'
import { contextKind } from '../targeting/clause-schema.ts'

const nonNegativeInteger = () =>
  v.pipe(v.number(), v.safeInteger('must be an integer'), v.minValue(0, 'must not be negative'))

const progressiveReleaseConfig = v.strictObject({
  rolloutContextKindKey: v.optional(contextKind()),
  stages: v.optional(releaseStages(), []),
})

const guardedReleaseConfig = v.strictObject({
  ...progressiveReleaseConfig.entries,
  minSampleSize: v.optional(nonNegativeInteger()),
  rollbackOnRegression: v.optional(v.boolean(), false),
  metricKeys: v.optional(distinctKeys(), []),
  metricGroupKeys: v.optional(distinctKeys(), []),
})

const scope = v.pipe(
  v.strictObject({ environmentKeys: v.optional(distinctKeys(), []), flagTagKeys: v.optional(tags(), []) }),
  v.check(
    ({ environmentKeys, flagTagKeys }) => environmentKeys.length + flagTagKeys.length > 0,
    'must contain environments or tags; the default policy has no scope',
  ),
)

/** Request body that replaces a policy. Omitted properties are reset. */
export const policyReplacement = v.strictObject({
  name: name(),
  releaseMethod: v.picklist(releaseMethods),
  scope: v.optional(scope),
  guardedReleaseConfig: v.optional(guardedReleaseConfig),
  progressiveReleaseConfig: v.optional(progressiveReleaseConfig),
})

/** Request body of the creation of a policy. */
export const policyRequest = v.strictObject({
  key: v.pipe(
    key(),
    v.check((value) => value !== 'order', 'must not be order, which is reserved for the path of the order of policies'),
  ),
  ...policyReplacement.entries,
})

const stagesResponse = list(v.object({ allocation: v.number(), durationMillis: v.number() }))

const releasePolicyObject = v.object({
  _id: v.string(),
  key: v.string(),
  name: v.string(),
  releaseMethod: v.picklist(releaseMethods),
  rank: v.number(),
  scope: v.optional(v.object({ environmentKeys: list(v.string()), flagTagKeys: list(v.string()) })),
  guardedReleaseConfig: v.optional(
    v.object({
      rolloutContextKindKey: v.optional(v.string()),
      minSampleSize: v.optional(v.number()),
      rollbackOnRegression: v.boolean(),
      metricKeys: list(v.string()),
      metricGroupKeys: list(v.string()),
      stages: stagesResponse,
    }),
  ),
  progressiveReleaseConfig: v.optional(
    v.object({ rolloutContextKindKey: v.optional(v.string()), stages: stagesResponse }),
  ),
  _access: accessDetails(),
})

/** A release policy in a response. */
export interface ReleasePolicyResponse extends v.InferOutput<typeof releasePolicyObject> {}

export const releasePolicyResponse: v.GenericSchema<ReleasePolicyResponse> = releasePolicyObject

export async function serializeReleasePolicy(
  context: ReadContext,
  policy: ReleasePolicy,
  keys: PolicyKeys,
): Promise<ReleasePolicyResponse> {
  return serializeRanked(context, policy, keys, await rankingOf(context.tx, keys))
}

/** Serializes a policy with a known ranking. Ranks start at 1; the default policy has the last rank. */
export async function serializeRanked(
  context: ReadContext,
  policy: ReleasePolicy,
  keys: PolicyKeys,
  ranking: PolicyRanking,
): Promise<ReleasePolicyResponse> {
  const { id, createdAt, version, ...properties } = policy
  return {
    _id: id,
    ...properties,
    rank: keysByRank(ranking).indexOf(policy.key) + 1,
    _access: await context.access(releasePolicies, keys, policy),
  }
}
