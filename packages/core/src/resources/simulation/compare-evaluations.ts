import { type EvaluationContext, evaluate, explainEvaluation } from '../../rules/evaluation/index.ts'
import { isInSegment } from '../../rules/evaluation/is-in-segment.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import type { ComparedEnvironment, Side } from './compared-environment.ts'
import type {
  SimulatedContext,
  SimulatedFlag,
  SimulatedMembership,
  SimulatedReasons,
  SimulatedVariation,
} from './simulation.ts'

/** Compares the variations of a flag for contexts before and after a change, with an explanation when they differ. */
export function compareVariations(
  environment: ComparedEnvironment,
  flagKey: string,
  contexts: readonly EvaluationContext[],
): SimulatedContext<SimulatedVariation>[] {
  return contexts.map((context) => {
    const before = variationOf(environment.before, flagKey, context)
    const after = variationOf(environment.after, flagKey, context)
    const changed = differs(before, after)
    return { context, before, after, changed, ...(changed ? { why: reasons(environment, flagKey, context) } : {}) }
  })
}

/**
 * Compares a flag that depends on the changed one. Only contexts with a difference are returned, and the first is
 * explained.
 */
export function compareFlag(
  environment: ComparedEnvironment,
  flagKey: string,
  contexts: readonly EvaluationContext[],
): SimulatedFlag {
  const changed = contexts.flatMap((context, index) => {
    const before = variationOf(environment.before, flagKey, context)
    const after = variationOf(environment.after, flagKey, context)
    return differs(before, after) ? [{ index, before, after }] : []
  })
  const first = contexts[changed[0]?.index ?? -1]
  const { flag } = environment.after.flags.get(flagKey) ?? environment.before.flags.get(flagKey) ?? {}
  return {
    key: flagKey,
    name: flag?.name ?? flagKey,
    changed: changed.length,
    contexts: changed,
    ...(first ? { why: reasons(environment, flagKey, first) } : {}),
  }
}

/** Compares the membership of contexts in a segment before and after a change. */
export function compareMemberships(
  { before, after }: ComparedEnvironment,
  segmentKey: string,
  contexts: readonly EvaluationContext[],
): SimulatedContext<SimulatedMembership>[] {
  return contexts.map((context) => {
    const memberBefore = isMember(before, segmentKey, context)
    const memberAfter = isMember(after, segmentKey, context)
    return {
      context,
      before: { member: memberBefore },
      after: { member: memberAfter },
      changed: memberBefore !== memberAfter,
    }
  })
}

export function isMember({ content, bigSegments }: Side, segmentKey: string, context: EvaluationContext): boolean {
  return isInSegment(content.ruleset, segmentKey, context, { bigSegments })
}

function variationOf(
  { content, flags, bigSegments }: Side,
  flagKey: string,
  context: EvaluationContext,
): SimulatedVariation {
  const result = evaluate(content.ruleset, flagKey, context, { bigSegments })
  const { variationIndex } = result
  const variation = variationIndex === null ? undefined : flags.get(flagKey)?.flag.variations[variationIndex]
  return { ...result, variationId: variation?._id ?? null }
}

/** Returns true if the variation or its value differs. The reason may differ. */
function differs(before: SimulatedVariation, after: SimulatedVariation): boolean {
  return before.variationId !== after.variationId || !jsonEqual(before.value, after.value)
}

function reasons(
  { before, after }: ComparedEnvironment,
  flagKey: string,
  context: EvaluationContext,
): SimulatedReasons {
  const [textBefore, textAfter] = [before, after].map(
    ({ content, bigSegments }) => explainEvaluation(content.ruleset, flagKey, context, { bigSegments }).text,
  )
  return { before: textBefore as string, after: textAfter as string }
}
