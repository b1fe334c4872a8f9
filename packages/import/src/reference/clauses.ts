import { type Clause, type ClauseOperator, type ClauseValue, userKind } from '../conditions/clause.ts'
import type { ReferenceClause } from './export.ts'
import type { LoseHere } from './serve.ts'

const operators: ReadonlySet<string> = new Set<ClauseOperator>([
  ...(['in', 'endsWith', 'startsWith', 'matches', 'contains'] as const),
  ...(['lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual', 'before', 'after'] as const),
  ...(['segmentMatch', 'semVerEqual', 'semVerLessThan', 'semVerGreaterThan'] as const),
])

/**
 * Translates the clauses of a rule. Returns undefined when one of them is not supported; the rule is then omitted.
 *
 * @param onSegment called with each segment that a clause refers to.
 */
export function tellClauses(
  clauses: readonly ReferenceClause[],
  lose: LoseHere,
  asked: (segmentKey: string) => void,
): readonly Clause[] | undefined {
  const told = clauses.map((clause) => tellClause(clause, lose))
  if (!told.every((clause) => clause !== undefined)) return undefined
  for (const { op, values } of told) if (op === 'segmentMatch') for (const key of values) asked(String(key))
  return told
}

function tellClause({ _id, attribute, op, values, negate, contextKind }: ReferenceClause, lose: LoseHere) {
  if (!operators.has(op)) {
    const instead = 'the rule is omitted, and contexts go on to the next one'
    lose({ what: `a clause ${op}`, why: 'the operator is unknown', instead, affects: 'values' })
    return undefined
  }
  const simple = values.filter((value): value is ClauseValue => ['string', 'number', 'boolean'].includes(typeof value))
  return {
    ...(_id ? { _id } : {}),
    contextKind: contextKind || userKind,
    attribute: contextKind ? (attribute ?? '') : plainName(attribute ?? ''),
    op: op as ClauseOperator,
    values: simple,
    negate: negate === true,
  } satisfies Clause
}

/** In clauses that are older than context kinds, an attribute is a name, even when it begins with a slash. */
function plainName(name: string): string {
  return name.startsWith('/') ? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : name
}
