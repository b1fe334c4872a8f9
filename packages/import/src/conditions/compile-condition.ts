import { type Clause, segmentClause } from './clause.ts'
import type { Condition } from './condition.ts'
import type { SegmentPool } from './segment-pool.ts'

/** Above this number of alternatives a condition becomes a segment, so that rules stay readable. */
const maxAlternatives = 4

/**
 * Compiles a condition to lists of clauses, one list for each rule. The condition holds when all clauses of a list
 * match. A condition that needs more than that, such as a negation of an attribute that may be missing, becomes a
 * segment of the pool, to which the clauses refer.
 *
 * @returns no list when no context matches; an empty list when every context does.
 */
export function compileCondition(condition: Condition, pool: SegmentPool): readonly (readonly Clause[])[] {
  switch (condition.kind) {
    case 'clause':
      return [[condition.clause]]
    case 'segment':
      return [[segmentClause([condition.key])]]
    case 'share': {
      const { weight, contextKind, bucketBy, name } = condition.share
      const rule = { clauses: [], weight, rolloutContextKind: contextKind, ...(bucketBy ? { bucketBy } : {}) }
      return [[segmentClause([pool.keyOf([rule], `${weight / 1000} percent of ${name}`)])]]
    }
    case 'any':
      return mergeAlternatives(condition.of.flatMap((part) => compileCondition(part, pool)))
    case 'all':
      return compileAll(condition.of, pool)
    case 'not':
      return compileNot(condition.of, pool)
  }
}

function compileAll(parts: readonly Condition[], pool: SegmentPool): readonly (readonly Clause[])[] {
  let lists: readonly (readonly Clause[])[] = [[]]
  for (const part of parts) {
    const alternatives = compileCondition(part, pool)
    const bounded =
      lists.length * alternatives.length <= maxAlternatives ? alternatives : [[inSegment(alternatives, pool)]]
    lists = lists.flatMap((list) => bounded.map((clauses) => [...list, ...clauses]))
  }
  return lists
}

function compileNot(condition: Condition, pool: SegmentPool): readonly (readonly Clause[])[] {
  const alternatives = compileCondition(condition, pool)
  if (alternatives.length === 0) return [[]]
  if (alternatives.some((list) => list.length === 0)) return []
  const single = alternatives.map((list) => (list.length === 1 && isTotal(list[0] as Clause) ? list[0] : undefined))
  if (single.every((clause) => clause !== undefined)) return [single.map(negateClause)]
  return [[negateClause(inSegment(alternatives, pool))]]
}

/**
 * Tests whether the negation of a clause matches exactly the contexts that the clause does not match: keys are never
 * missing, and membership in a segment is always defined.
 */
function isTotal({ op, attribute }: Clause): boolean {
  return op === 'segmentMatch' || attribute === 'key'
}

function negateClause(clause: Clause): Clause {
  return { ...clause, negate: !clause.negate }
}

function inSegment(alternatives: readonly (readonly Clause[])[], pool: SegmentPool): Clause {
  const [only] = alternatives
  const [clause] = only ?? []
  if (alternatives.length === 1 && only?.length === 1 && clause?.op === 'segmentMatch') return clause
  return segmentClause([
    pool.keyOf(
      alternatives.map((clauses) => ({ clauses })),
      titleOf(alternatives),
    ),
  ])
}

/** Returns a short name for a segment that was created for a condition. */
export function titleOf(alternatives: readonly (readonly Clause[])[]): string {
  const texts = alternatives.map((list) => list.map(clauseText).join(' and '))
  return texts.join(' or ') || 'nobody'
}

function clauseText({ attribute, op, values, negate }: Clause): string {
  return `${attribute}${negate ? ' not' : ''} ${op} ${values.map(String).join(', ')}`.trim()
}

/** Merges clauses that differ only in their values, because one matching value is enough. */
function mergeAlternatives(lists: readonly (readonly Clause[])[]): readonly (readonly Clause[])[] {
  const result: (readonly Clause[])[] = []
  for (const list of lists) {
    const last = result.at(-1)
    const combined =
      last?.length === 1 && list.length === 1 ? combineClauses(last[0] as Clause, list[0] as Clause) : undefined
    if (combined) result[result.length - 1] = [combined]
    else result.push(list)
  }
  return result
}

function combineClauses(a: Clause, b: Clause): Clause | undefined {
  const isComparable = a.attribute === b.attribute && a.op === b.op && a.contextKind === b.contextKind
  if (!isComparable || a.negate || b.negate) return undefined
  return { ...a, values: [...new Set([...a.values, ...b.values])] }
}
