import type { FlagDescription } from '@halyard/core'
import type { EvaluationResult, EvaluationContext as HalyardContext } from '@halyard/core/evaluation'
import { ErrorCode } from '@openfeature/core'
import type { AnyEvaluator } from './evaluator-monitor.ts'
import { flagMetadata } from './flag-metadata.ts'
import type { MappedContext } from './map-context.ts'
import { describeError, type FlagError, type FlagEvaluation, resolutionReason } from './resolution.ts'
import { decidingRollout, isByUserKey, isStaticFlag } from './rollouts.ts'

/** Returns an evaluation of the engine in the terms of OpenFeature, or the code and the message of an error. */
export function describeEvaluation(
  evaluator: AnyEvaluator,
  flagKey: string,
  { context, hasKey }: MappedContext,
  { value, variationIndex, reason }: EvaluationResult,
): FlagEvaluation | FlagError {
  if (reason.kind === 'ERROR') return describeError(reason.errorKind, flagKey)
  if (!hasKey && dependsOnKey(evaluator, flagKey, context)) {
    const message = `flag ${flagKey} has a rollout by key, and the context has no \`targetingKey\``
    return [ErrorCode.TARGETING_KEY_MISSING, message]
  }
  const description = evaluator.describe(flagKey) as FlagDescription
  const { data, variationNames } = description
  const traits = { isSplit: decidingRollout(reason, data) !== undefined, isStatic: isStaticFlag(data) }
  const variant = variationIndex === null ? undefined : (variationNames[variationIndex] ?? String(variationIndex))
  return {
    value,
    variant,
    reason: resolutionReason(reason, traits),
    flagMetadata: flagMetadata(description, reason),
  }
}

/** Returns true when a rollout by key selected the variation of a flag or of one of its prerequisites. */
function dependsOnKey(
  evaluator: AnyEvaluator,
  flagKey: string,
  context: HalyardContext,
  visited = new Set<string>(),
): boolean {
  if (visited.has(flagKey)) return false
  visited.add(flagKey)
  const data = evaluator.describe(flagKey)?.data
  if (!data?.on) return false
  const rollout = decidingRollout(evaluator.peek(flagKey, context, undefined).reason, data)
  if (rollout && isByUserKey(rollout)) return true
  return (data.prerequisites ?? []).some(({ key }) => dependsOnKey(evaluator, key, context, visited))
}
