import type { AttributeExample } from '../imported-project.ts'
import { type Clause, userClause } from './clause.ts'
import { type Condition, clauseCondition } from './condition.ts'

/** Returns a condition that is true when an attribute is present, whatever its type: no value is in an empty list. */
export function isDefined(attribute: string): Condition {
  return clauseCondition({ ...userClause(attribute, 'in', []), negate: true })
}

/** Returns a condition that is true when an attribute is present and neither false, nor 0, nor empty. */
export function isDefinedAndTruthy(attribute: string): Condition {
  return clauseCondition({ ...userClause(attribute, 'in', falsy), negate: true })
}

const falsy = [false, 0, '']

/**
 * Returns an example value for each attribute that rules test only for presence.
 *
 * @param isNumber returns true for an attribute that another rule compares as a number.
 */
export function examplesOf(
  rules: readonly { readonly clauses: readonly Clause[] }[],
  isNumber: (attribute: string) => boolean,
): AttributeExample[] {
  const clauses = rules.flatMap((rule) => rule.clauses.filter(testsPresence))
  const attributes = [...new Set(clauses.map(({ attribute }) => attribute))]
  return attributes.map((attribute) => ({
    contextKind: 'user',
    attribute,
    value: isNumber(attribute) ? 1 : 'something',
  }))
}

function testsPresence({ op, values }: Clause): boolean {
  return op === 'in' && values.length === 0
}
