import { createHash } from 'node:crypto'
import { evaluate } from '../evaluate.ts'
import type { ClauseData, FlagData, SegmentData } from '../flag-data.ts'
import { re2Pattern } from '../re2-pattern.ts'
import { compileRuleset } from '../ruleset.ts'
import type { EvaluationContext } from '../subject.ts'

export const ruleMatch = { value: true, variationIndex: 0, reason: { kind: 'RULE_MATCH', ruleIndex: 0, ruleId: 'r' } }
export const fallthrough = { value: false, variationIndex: 1, reason: { kind: 'FALLTHROUGH' } }
export const malformed = {
  value: undefined,
  variationIndex: null,
  reason: { kind: 'ERROR', errorKind: 'MALFORMED_FLAG' },
}

/** Returns a boolean flag that is on, with one rule that serves true; the default rule serves false. */
export function flagWith(clauses: readonly ClauseData[], overrides: Partial<FlagData> = {}): FlagData {
  return {
    key: 'f',
    on: true,
    variations: [true, false],
    offVariation: 1,
    rules: [{ id: 'r', variation: 0, clauses }],
    fallthrough: { variation: 1 },
    ...overrides,
  }
}

/** Returns the outcome of a flag with these clauses for a context. */
export function outcomeOf(
  clauses: readonly ClauseData[],
  context: EvaluationContext,
  segments: readonly SegmentData[] = [],
) {
  return evaluate(compileRuleset({ flags: [flagWith(clauses)], segments, compilePattern: re2Pattern }), 'f', context)
}

/** Returns true if one value of an attribute matches one value of a clause that is not negated. */
export function matches(op: string, attribute: unknown, value: unknown): boolean {
  const clause = { contextKind: 'user', attribute: 'a', op, values: [value] }
  return outcomeOf([clause], { kind: 'user', key: 'k', a: attribute }).value === true
}

/** Returns the bucket value of a text, 0 to 1, by the platform's SHA-1. */
export function bucketValueOf(text: string): number {
  return Number.parseInt(createHash('sha1').update(text).digest('hex').slice(0, 15), 16) / 2 ** 60
}
