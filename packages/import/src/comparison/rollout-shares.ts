import type { EvaluationContext } from '@halyard/core/evaluation'
import { userKind } from '../conditions/clause.ts'
import { pathOf } from './attribute-path.ts'
import type { RelatedRules } from './related-rules.ts'

/**
 * Tests whether any of the rules use a percentage: a rollout of several variations, or a segment that contains a
 * percentage of its contexts.
 */
export function usesPercentages({ configs, segments }: RelatedRules): boolean {
  const served = configs.flatMap(({ rules, fallthrough }) => [...rules, fallthrough])
  const weights = [...segments.values()].flatMap(({ rules }) => rules.flatMap(({ weight }) => weight ?? []))
  return (
    served.some(({ rollout }) => (rollout?.variations.filter(({ weight }) => weight > 0).length ?? 0) > 1) ||
    weights.some((weight) => weight > 0 && weight < 100_000)
  )
}

/** Returns the attributes by which contexts are bucketed, each with its kind. */
export function bucketingAttributes({ configs, segments }: RelatedRules): readonly (readonly [string, string])[] {
  const rollouts = configs.flatMap(({ rules, fallthrough }) =>
    [...rules, fallthrough].flatMap(({ rollout }) => rollout ?? []),
  )
  const rules = [...segments.values()].flatMap((segment) => segment.rules)
  return [
    ...rollouts.flatMap(({ contextKind, bucketBy }) => (bucketBy ? [[contextKind, bucketBy] as const] : [])),
    ...rules.flatMap(({ rolloutContextKind = userKind, bucketBy }) =>
      bucketBy ? [[rolloutContextKind, bucketBy] as const] : [],
    ),
  ]
}

/**
 * Returns the context with other keys, so that rollouts assign it to variations again.
 *
 * @param attributes attributes by which contexts are bucketed in addition to their keys. Each attribute that the
 *   context has gets another value.
 */
export function withOtherKeys(
  context: EvaluationContext,
  attributes: readonly (readonly [string, string])[],
  number: number,
): EvaluationContext {
  const kinds =
    context.kind === 'multi' ? Object.keys(context).filter((name) => name !== 'kind') : [context.kind ?? userKind]
  const keyed = kinds.map((kind) => {
    const inner = context.kind === 'multi' ? (context[kind] as object) : context
    const varied = { ...inner, key: `share-${number}` }
    for (const [, name] of attributes.filter(([attributeKind]) => attributeKind === kind))
      setIfPresent(varied, pathOf(name), `share-${number}`)
    return [kind, varied] as const
  })
  return context.kind === 'multi' ? { kind: 'multi', ...Object.fromEntries(keyed) } : (keyed[0]?.[1] ?? context)
}

/** Replaces the value only if the attribute is present, because rules may test its presence. */
function setIfPresent(target: Record<string, unknown>, [name, ...rest]: readonly string[], text: string): void {
  if (name === undefined || target[name] === undefined || name === 'key') return
  if (rest.length === 0) {
    target[name] = text
    return
  }
  const inner = { ...(target[name] as Record<string, unknown>) }
  target[name] = inner
  setIfPresent(inner, rest, text)
}

/** Number of contexts by the value they received. */
export type Tally = Map<string, number>

/** Counts a value. */
export function count(tally: Tally, value: unknown): void {
  const name = JSON.stringify(value) ?? 'undefined'
  tally.set(name, (tally.get(name) ?? 0) + 1)
}

/** Services round percentages to a hundredth at most. */
const roundingTolerance = 0.01

/** A deviation of this many standard deviations has a probability below one in a hundred thousand. */
const maxDeviations = 4.5

/** Tests whether two tallies of equally many contexts are consistent with the same shares. */
export function sharesAgree(a: Tally, b: Tally, contexts: number): boolean {
  return [...new Set([...a.keys(), ...b.keys()])].every((name) => {
    const [p, q] = [(a.get(name) ?? 0) / contexts, (b.get(name) ?? 0) / contexts]
    const error = Math.sqrt((p * (1 - p) + q * (1 - q)) / contexts)
    return Math.abs(p - q) <= maxDeviations * error + (p === q ? 0 : roundingTolerance)
  })
}
