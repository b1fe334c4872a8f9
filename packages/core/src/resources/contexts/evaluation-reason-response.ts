import * as v from 'valibot'
import type { EvaluationReason } from '../../rules/evaluation/index.ts'

/** Schema of the reason why a flag has its value. */
export const reasonResponse = v.object({
  kind: v.string(),
  ruleIndex: v.optional(v.number()),
  ruleID: v.optional(v.string()),
  prerequisiteKey: v.optional(v.string()),
  inExperiment: v.optional(v.boolean()),
  errorKind: v.optional(v.string()),
})

export function serializeReason(reason: EvaluationReason): v.InferOutput<typeof reasonResponse> {
  const { kind } = reason
  const inExperiment = 'inExperiment' in reason && reason.inExperiment ? { inExperiment: true } : {}
  switch (kind) {
    case 'RULE_MATCH':
      return { kind, ruleIndex: reason.ruleIndex, ...(reason.ruleId ? { ruleID: reason.ruleId } : {}), ...inExperiment }
    case 'PREREQUISITE_FAILED':
      return { kind, prerequisiteKey: reason.prerequisiteKey }
    case 'ERROR':
      return { kind, errorKind: reason.errorKind }
    default:
      return { kind, ...inExperiment }
  }
}
