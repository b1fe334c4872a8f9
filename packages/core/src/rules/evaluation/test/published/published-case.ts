import type { ClauseData, FlagData, SegmentData } from '../../flag-data.ts'
import type { EvaluationContext } from '../../subject.ts'

/** A published evaluation with its expected outcome, converted to Halyard's data. */
export interface PublishedCase {
  readonly name: string
  readonly flags: readonly FlagData[]
  readonly segments?: readonly SegmentData[]
  readonly flagKey: string
  readonly context: EvaluationContext
  readonly fallback: unknown
  readonly expected: ExpectedOutcome
}

/** Expected outcome; properties that are omitted were not published. */
export interface ExpectedOutcome {
  readonly value: unknown
  readonly variationIndex?: number | null
  readonly reason?: Readonly<Record<string, unknown>>
}

export const matched: ExpectedOutcome = {
  value: true,
  variationIndex: 0,
  reason: { kind: 'RULE_MATCH', ruleIndex: 0, ruleId: 'ruleid' },
}
export const unmatched: ExpectedOutcome = { value: false, variationIndex: 1, reason: { kind: 'FALLTHROUGH' } }

/** Outcome of a malformed flag: the caller's default. */
export const malformed = (fallback: unknown): ExpectedOutcome => ({
  value: fallback,
  variationIndex: null,
  reason: { kind: 'ERROR', errorKind: 'MALFORMED_FLAG' },
})

/**
 * Creates a case with a boolean flag that is on: one rule with these clauses serves true, the default rule serves
 * false.
 */
export function ruledFlag(key: string, clauses: readonly ClauseData[], overrides: Partial<FlagData> = {}): FlagData {
  return {
    key,
    on: true,
    variations: [true, false],
    offVariation: 1,
    fallthrough: { variation: 1 },
    rules: [{ id: 'ruleid', variation: 0, clauses }],
    ...overrides,
  }
}

/** Creates a case that tests if one clause matches a context. */
export function clauseCase(name: string, context: EvaluationContext, clause: ClauseData, matches: boolean) {
  const expected = matches ? matched : unmatched
  return { name, flags: [ruledFlag('f', [clause])], flagKey: 'f', context, fallback: false, expected }
}

/** Creates a case that tests if an attribute of a user matches one value by an operator. */
export function operatorCase(op: string, attribute: unknown, value: unknown, matches: boolean): PublishedCase {
  const name = `${JSON.stringify(attribute)} ${op} ${JSON.stringify(value)}`
  const context = { key: 'user-key', custom: { attrname: attribute } }
  return clauseCase(name, context, { attribute: 'attrname', op, values: [value] }, matches)
}

/** Returns all pairs of the elements of two lists. */
export function pairs<A, B>(as: readonly A[], bs: readonly B[]): (readonly [A, B])[] {
  return as.flatMap((a) => bs.map((b) => [a, b] as const))
}
