import { type Clause, type ClauseOperator, type ClauseValue, userKind } from '../conditions/clause.ts'
import type { ReferenceClause } from './export.ts'
import type { ReportLoss } from './serve.ts'

const operators: ReadonlySet<string> = new Set<ClauseOperator>([
  ...(['in', 'endsWith', 'startsWith', 'matches', 'contains'] as const),
  ...(['lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual', 'before', 'after'] as const),
  ...(['segmentMatch', 'semVerEqual', 'semVerLessThan', 'semVerGreaterThan'] as const),
])

/**
 * Translates the clauses of a rule. Returns undefined when one of them is not supported; the caller then omits the
 * rule.
 *
 * @param onSegment called with each segment that a clause refers to.
 */
export function translateClauses(
  clauses: readonly ReferenceClause[],
  reportLoss: ReportLoss,
  onSegment: (segmentKey: string) => void,
): readonly Clause[] | undefined {
  const translated = clauses.map((clause) => translateClause(clause, reportLoss))
  if (!translated.every((clause) => clause !== undefined)) return undefined
  for (const { op, values } of translated) if (op === 'segmentMatch') for (const key of values) onSegment(String(key))
  return translated
}

function translateClause({ _id, attribute, op, values, negate, contextKind }: ReferenceClause, reportLoss: ReportLoss) {
  if (!operators.has(op)) {
    const instead = 'the rule is omitted, and contexts go on to the next one'
    reportLoss({ what: `a clause ${op}`, why: 'the operator is unknown', instead, affects: 'values' })
    return undefined
  }
  const scalars = values.filter((value): value is ClauseValue => ['string', 'number', 'boolean'].includes(typeof value))
  return {
    ...(_id ? { _id } : {}),
    contextKind: contextKind || userKind,
    attribute: contextKind ? (attribute ?? '') : plainName(attribute ?? ''),
    op: op as ClauseOperator,
    values: scalars,
    negate: negate === true,
  } satisfies Clause
}

/**
 * Returns the reference to an attribute in a clause that is older than context kinds: it is always a name, even when it
 * begins with a slash.
 */
function plainName(name: string): string {
  return name.startsWith('/') ? `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}` : name
}
