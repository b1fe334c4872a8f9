import { attributeReader, type ReadAttribute } from './attribute-reference.ts'
import { type ValueTest, valueTest } from './clause-test.ts'
import { type Chain, closesCircle, type Evaluation, type Malformed, type Verdict } from './evaluation.ts'
import type { ClauseData } from './flag-data.ts'
import type { CompilePattern } from './safe-pattern.ts'

/** A clause, ready to be compared with contexts. */
export interface CompiledClause {
  readonly data: ClauseData
  /** The segments that it asks for; undefined for any other operator. */
  readonly segmentKeys: readonly string[] | undefined
  /** Undefined where the attribute is no reference, and for segments. */
  readonly read: ReadAttribute | undefined
  /**
   * Whether it matches the context of an evaluation.
   *
   * @param segments those whose rules led here.
   */
  matches(evaluation: Evaluation, segments: Chain | undefined): Verdict
}

const badReference: Malformed = { malformed: 'the attribute of a clause is no reference' }

/** Makes a clause ready. Nothing is refused: what makes no sense matches nothing, or is malformed when it is asked. */
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

/** A context without the attribute does not match, negated or not; of a list one value is enough. */
function valueMatcher(read: ReadAttribute, test: ValueTest, negate: boolean): CompiledClause['matches'] {
  return ({ subject }) => {
    const value = read(subject)
    if (value === undefined || value === null) return false
    return (Array.isArray(value) ? value.some(test) : test(value)) !== negate
  }
}

/** One segment is enough; those that there are not match nothing. */
function segmentMatcher(keys: readonly string[], negate: boolean): CompiledClause['matches'] {
  return (evaluation, chain) => {
    for (const key of keys) {
      const segment = evaluation.ruleset.segments.get(key)?.get()
      if (!segment) continue
      if (closesCircle(chain, key))
        return { malformed: `segment ${key} refers to itself, or segments are nested too deep` }
      const verdict = segment.matches(evaluation, chain)
      if (verdict === true) return !negate
      if (verdict !== false) return verdict
    }
    return negate
  }
}

/** Whether all clauses match: the first that does not decides, and so does the first that is malformed. */
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
