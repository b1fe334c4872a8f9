import { attributeReader, type ReadAttribute } from './attribute-reference.ts'
import { type ValueTest, valueTest } from './clause-test.ts'
import type { CompiledClause } from './evaluation.ts'
import { type Chain, closesCycle, type Evaluation, type MalformedReason, type Verdict } from './evaluation.ts'
import type { ClauseData } from './flag-data.ts'
import type { CompilePattern } from './safe-pattern.ts'

const badReference: MalformedReason = { malformed: 'the attribute of a clause is not a valid reference' }

/**
 * Prepares a clause for evaluation. Never throws: unsupported values match nothing, and an invalid attribute makes the
 * flag malformed when it is evaluated.
 */
export function compileClause(data: ClauseData, compilePattern?: CompilePattern): CompiledClause {
  const { op, attribute, contextKind } = data
  const values = data.values ?? []
  const negate = data.negate === true
  if (op === 'segmentMatch') {
    const segmentKeys = values.filter((value) => typeof value === 'string')
    return { data, segmentKeys, read: undefined, matches: segmentMatcher(segmentKeys, negate) }
  }
  const read = attributeReader(attribute, contextKind)
  const matches = read ? valueMatcher(read, valueTest(op, values, compilePattern), negate) : () => badReference
  return { data, segmentKeys: undefined, read, matches }
}

/**
 * Matches an attribute value: a context without the attribute does not match, negated or not; a list matches if one of
 * its values does.
 */
function valueMatcher(read: ReadAttribute, test: ValueTest, negate: boolean): CompiledClause['matches'] {
  return ({ subject }) => {
    const value = read(subject)
    if (value === undefined || value === null) return false
    return (Array.isArray(value) ? value.some(test) : test(value)) !== negate
  }
}

/** Matches if the context is in one of the segments; segments that do not exist match nothing. */
function segmentMatcher(keys: readonly string[], negate: boolean): CompiledClause['matches'] {
  return (evaluation, chain) => {
    for (const key of keys) {
      const segment = evaluation.ruleset.segments.get(key)?.get()
      if (!segment) continue
      if (closesCycle(chain, key))
        return { malformed: `segment ${key} refers to itself, or segments are nested too deeply` }
      const verdict = segment.matches(evaluation, chain)
      if (verdict === true) return !negate
      if (verdict !== false) return verdict
    }
    return negate
  }
}

/** Returns true if all clauses match; stops at the first clause that does not match or is malformed. */
export function allMatch(
  clauses: readonly CompiledClause[],
  evaluation: Evaluation,
  segments: Chain | undefined,
): Verdict {
  for (const clause of clauses) {
    const verdict = clause.matches(evaluation, segments)
    if (verdict !== true) return verdict
  }
  return true
}
