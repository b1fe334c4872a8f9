import type { EvaluationReason, FlagData, RolloutData, ServeData } from '@halyard/core/evaluation'

/**
 * Returns the percentage rollout that selected the variation; undefined when no rollout with several variations
 * selected it.
 */
export function decidingRollout(reason: EvaluationReason, flag: FlagData): RolloutData | undefined {
  const serve = reason.kind === 'FALLTHROUGH' ? flag.fallthrough : matchedRule(reason, flag)
  const rollout = serve?.rollout
  return rollout && (rollout.variations ?? []).filter(({ weight }) => weight > 0).length > 1 ? rollout : undefined
}

function matchedRule(reason: EvaluationReason, { rules }: FlagData): ServeData | undefined {
  return reason.kind === 'RULE_MATCH' ? rules?.[reason.ruleIndex] : undefined
}

/** Returns true when a rollout selects the variation by the key of a user. */
export function isByUserKey({ kind, contextKind, bucketBy }: RolloutData): boolean {
  if ((contextKind || 'user') !== 'user') return false
  return kind === 'experiment' || !bucketBy || bucketBy === 'key' || bucketBy === '/key'
}

/** Returns true when a flag has no targets, rules or prerequisites. */
export function isStaticFlag({ prerequisites, targets, contextTargets, rules }: FlagData): boolean {
  const hasTargets = [...(targets ?? []), ...(contextTargets ?? [])].some(({ values }) => (values ?? []).length > 0)
  return !hasTargets && (prerequisites ?? []).length === 0 && (rules ?? []).length === 0
}
