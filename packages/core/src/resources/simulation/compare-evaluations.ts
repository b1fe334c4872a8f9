import type { VariationRef } from '../../models/ai-configs/ai-config.ts'
import type { AIConfigValue } from '../../rules/ai-configs/ai-config-value.ts'
import {
  type EvaluationContext,
  type EvaluationResult,
  evaluate,
  explainEvaluation,
} from '../../rules/evaluation/index.ts'
import { isInSegment } from '../../rules/evaluation/is-in-segment.ts'
import { jsonEqual } from '../../rules/json-equal.ts'
import { isServed } from '../evaluation/evaluated-content.ts'
import type { ComparedEnvironment, Side } from './compared-environment.ts'
import type {
  SimulatedContext,
  SimulatedFlag,
  SimulatedMembership,
  SimulatedReasons,
  SimulatedVariation,
} from './simulation.ts'

/**
 * Compares the variations of a flag or an AI config for contexts before and after a change, with an explanation when
 * they differ.
 */
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
 * Compares a flag or an AI config that depends on the changed resource. Only contexts with a difference are returned,
 * and the first is explained.
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
  return {
    key: flagKey,
    name: nameOf(environment.after, flagKey) ?? nameOf(environment.before, flagKey) ?? flagKey,
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

function nameOf({ flags, aiConfigs }: Side, key: string): string | undefined {
  return flags.get(key)?.flag.name ?? aiConfigs.get(key)?.name
}

function variationOf(side: Side, flagKey: string, context: EvaluationContext): SimulatedVariation {
  const result = evaluate(side.content.ruleset, flagKey, context, { bigSegments: side.bigSegments })
  return { ...result, variationId: variationIdOf(side, flagKey, result) ?? null }
}

function variationIdOf(
  { content, flags, aiConfigs }: Side,
  key: string,
  { variationIndex, value }: EvaluationResult,
): string | undefined {
  if (variationIndex === null) return undefined
  if (!isServed(content, key)) return flags.get(key)?.flag.variations[variationIndex]?._id
  // While an AI config is off, it serves a copy of a variation. The index of the copy differs from that of the
  // variation.
  const isValueOf = (variation: VariationRef) => variation.key === (value as AIConfigValue)._ldMeta.variationKey
  return aiConfigs.get(key)?.variations.find(isValueOf)?._id
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
