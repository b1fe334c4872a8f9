import type { Rule } from './rule.ts'

/**
 * Returns rules without references to a segment, so that they decide as if the segment had no members: a rule that
 * requires the segment alone is removed, because it would match no context; a condition that only excludes the segment
 * is removed, because every context meets it.
 */
export function rulesWithoutSegment<R extends Rule>(rules: readonly R[], segmentKey: string): readonly R[] {
  return rules.flatMap((rule): R[] => {
    let matchesNothing = false
    const clauses = rule.clauses.flatMap((clause) => {
      if (clause.op !== 'segmentMatch' || !clause.values.map(String).includes(segmentKey)) return [clause]
      const values = clause.values.filter((value) => String(value) !== segmentKey)
      if (values.length > 0) return [{ ...clause, values }]
      if (!clause.negate) matchesNothing = true
      return []
    })
    return matchesNothing ? [] : [{ ...rule, clauses }]
  })
}
