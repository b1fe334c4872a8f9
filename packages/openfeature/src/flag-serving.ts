import type { EvaluationReason, FlagData, RolloutData, ServeData } from '@halyard/core/evaluation'

/** The rollout that placed a context, where there is one of more than one share. */
export function decidingRollout(reason: EvaluationReason, flag: FlagData): RolloutData | undefined {
  const serve = reason.kind === 'FALLTHROUGH' ? flag.fallthrough : ruleOf(reason, flag)
  const rollout = serve?.rollout
  return rollout && (rollout.variations ?? []).filter(({ weight }) => weight > 0).length > 1 ? rollout : undefined
}

function ruleOf(reason: EvaluationReason, { rules }: FlagData): ServeData | undefined {
  return reason.kind === 'RULE_MATCH' ? rules?.[reason.ruleIndex] : undefined
}

/** Whether a rollout places contexts by the keys of users. */
export function placesByUserKey({ kind, contextKind, bucketBy }: RolloutData): boolean {
  if ((contextKind || 'user') !== 'user') return false
  return kind === 'experiment' || !bucketBy || bucketBy === 'key' || bucketBy === '/key'
}

/** Whether nothing in the flag tells contexts apart before its default rule. */
export function isFixed({ prerequisites, targets, contextTargets, rules }: FlagData): boolean {
  const named = [...(targets ?? []), ...(contextTargets ?? [])].some(({ values }) => (values ?? []).length > 0)
  return !named && (prerequisites ?? []).length === 0 && (rules ?? []).length === 0
}
