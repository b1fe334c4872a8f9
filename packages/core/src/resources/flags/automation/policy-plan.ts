import type { Flag } from '../../../models/flags/flag.ts'
import type { ReleasePolicy } from '../../../models/release-policies/release-policy.ts'
import { defaultSampleSize, defaultStages } from '../../../rules/release/automation.ts'
import type { ReleasedServe } from './released-serves.ts'

/** Returns the plan by which a policy releases a variation to the contexts of a rule. */
export function planOf(policy: ReleasePolicy, { variations }: Flag, { ruleId, original, target }: ReleasedServe) {
  const isGuarded = policy.releaseMethod === 'guarded-release'
  const { guardedReleaseConfig, progressiveReleaseConfig } = policy
  const { rolloutContextKindKey = 'user', stages = [] } =
    (isGuarded ? guardedReleaseConfig : progressiveReleaseConfig) ?? {}
  return {
    kind: isGuarded ? ('guarded' as const) : ('progressive' as const),
    ...(ruleId === undefined ? {} : { ruleId }),
    originalVariationId: variations[original]?._id as string,
    targetVariationId: variations[target]?._id as string,
    randomizationUnit: rolloutContextKindKey,
    stages: stages.length > 0 ? stages : defaultStages,
    policyKey: policy.key,
    ...(isGuarded ? { guard: guardOf(policy) } : {}),
  }
}

/** Returns the settings with which releases by a guarded policy compare the variations. */
export function guardOf({ guardedReleaseConfig }: Pick<ReleasePolicy, 'guardedReleaseConfig'>) {
  const { metricKeys = [], metricGroupKeys = [], minSampleSize, rollbackOnRegression } = guardedReleaseConfig ?? {}
  const rollsBack = rollbackOnRegression ?? false
  return {
    metrics: [
      ...metricKeys.map((key) => ({ key, isGroup: false, rollsBack })),
      ...metricGroupKeys.map((key) => ({ key, isGroup: true, rollsBack })),
    ],
    minSampleSize: minSampleSize ?? defaultSampleSize,
  }
}
