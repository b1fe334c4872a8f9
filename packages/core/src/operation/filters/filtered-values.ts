import type { Condition } from '../../storage/port.ts'

type Value = string | number

/** The values of a field that one of these conditions asks for as `anyOf`, wherever it stands in it; each once. */
export function filteredValues(conditions: readonly Condition[], field: string): readonly Value[] {
  return [...new Set(conditions.flatMap((one) => valuesIn(one, field)))]
}

function valuesIn(condition: Condition, field: string): readonly Value[] {
  switch (condition.op) {
    case 'and':
      return condition.all.flatMap((one) => valuesIn(one, field))
    case 'or':
      return condition.any.flatMap((one) => valuesIn(one, field))
    case 'not':
      return valuesIn(condition.condition, field)
    default:
      return condition.op === 'anyOf' && condition.field === field ? condition.values : []
  }
}

/**
 * Puts what storage can answer in the place of `anyOf` conditions on a field that no row has: some fields of filters
 * have to be looked up elsewhere first.
 */
export function replaceFieldConditions(
  condition: Condition,
  field: string,
  replacement: (values: readonly Value[]) => Condition,
): Condition {
  const inner = (one: Condition) => replaceFieldConditions(one, field, replacement)
  switch (condition.op) {
    case 'and':
      return { op: 'and', all: condition.all.map(inner) }
    case 'or':
      return { op: 'or', any: condition.any.map(inner) }
    case 'not':
      return { op: 'not', condition: inner(condition.condition) }
    default:
      return condition.op === 'anyOf' && condition.field === field ? replacement(condition.values) : condition
  }
}
