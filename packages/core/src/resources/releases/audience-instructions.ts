import type { Flag } from '../../models/flags/flag.ts'
import type { FlagConfig } from '../../models/flags/flag-config.ts'
import type { ReleasePolicy } from '../../models/release-policies/release-policy.ts'
import type { ReleaseAudience } from '../../models/releases/release.ts'
import { guardedStages } from '../../rules/release/guarded-audience.ts'
import { userKind } from '../../rules/targeting/clause.ts'
import { guardOf } from '../flags/automation/policy-plan.ts'

/** The flag in the environment of an audience. */
export interface AudienceSubject {
  readonly flag: Flag
  readonly config: FlagConfig
  /** Ids of the variation for the audience, and of the variation that other contexts keep. */
  readonly variationId: string
  readonly otherVariationId: string
  /** The policy that applies to the flag in the environment. */
  readonly policy: ReleasePolicy | undefined
}

/**
 * Returns the instructions that serve an audience, so that a reviewer approves exactly what is done: an automated
 * release for a guarded audience, otherwise a change of the default rule or a new rule for the segments. A flag that is
 * off is turned on; contexts outside of the audience continue to get the value that they got while the flag was off.
 */
export function audienceInstructions(audience: ReleaseAudience, subject: AudienceSubject) {
  const { config, variationId } = subject
  const isWhole = audience.segmentKeys.length === 0
  const stages = guardedStages(audience.configuration)
  const rule = isWhole ? {} : segmentRule(audience)
  const serve = stages ? guardedRelease(audience, subject, stages, rule) : servedImmediately(rule, isWhole, variationId)
  const keepOthers = !config.on && !isWhole ? [servedImmediately({}, true, offVariationId(subject))] : []
  return [...keepOthers, serve, ...(config.on ? [] : [{ kind: 'turnFlagOn' as const }])]
}

function offVariationId({ flag, config, otherVariationId }: AudienceSubject): string {
  return flag.variations[config.offVariation ?? -1]?._id ?? otherVariationId
}

function segmentRule({ name, segmentKeys }: ReleaseAudience) {
  const values = [...segmentKeys]
  const clause = { attribute: '', op: 'segmentMatch', values, negate: false, contextKind: userKind }
  return { clauses: [clause], description: `Release to ${name}` }
}

function servedImmediately(rule: object, isWhole: boolean, variationId: string) {
  return { kind: isWhole ? 'updateFallthroughVariationOrRollout' : 'addRule', ...rule, variationId }
}

function guardedRelease(
  { id, configuration }: ReleaseAudience,
  { flag, config, variationId, otherVariationId, policy }: AudienceSubject,
  stages: NonNullable<ReturnType<typeof guardedStages>>,
  rule: { readonly clauses?: readonly object[] },
) {
  const { releaseGuardianConfiguration: guardian, notifyMemberIds = [], notifyTeamKeys = [] } = configuration ?? {}
  const { metrics, minSampleSize } = guardOf(policy ?? {})
  const autoRollback = guardian?.rollbackOnRegression ?? false
  const isServed =
    config.on && !rule.clauses && flag.variations[config.fallthrough.variation ?? -1]?._id === variationId
  return {
    kind: 'startAutomatedRelease' as const,
    ...rule,
    releaseKind: 'guarded' as const,
    originalVariationId: otherVariationId,
    targetVariationId: variationId,
    randomizationUnit: guardian?.randomizationUnit ?? userKind,
    // If all contexts have the variation already, the release has no stages, because a stage would take the variation
    // from some of them.
    stages: isServed ? [] : stages,
    metrics: metrics.map(({ key, isGroup }) => ({ key, isGroup })),
    metricMonitoringPreferences: Object.fromEntries(metrics.map(({ key }) => [key, { autoRollback }])),
    minSampleSize,
    audienceId: id,
    notifyMemberIds: [...notifyMemberIds],
    notifyTeamKeys: [...notifyTeamKeys],
  }
}
