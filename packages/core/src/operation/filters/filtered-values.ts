import type { Condition } from '../../storage/port.ts'

type Value = string | number

/** Returns the values that `anyOf` conditions on a field contain, at any depth, each once. */
export function filteredValues(conditions: readonly Condition[], field: string): readonly Value[] {
  return [...new Set(conditions.flatMap((part) => valuesIn(part, field)))]
}

function valuesIn(condition: Condition, field: string): readonly Value[] {
  switch (condition.op) {
    case 'and':
      return condition.all.flatMap((part) => valuesIn(part, field))
    case 'or':
      return condition.any.flatMap((part) => valuesIn(part, field))
    case 'not':
      return valuesIn(condition.condition, field)
    default:
      return condition.op === 'anyOf' && condition.field === field ? condition.values : []
  }
}

/**
 * Replaces the `anyOf` conditions on a field that is not stored in any row by conditions that the storage can evaluate.
 * The values of some filter fields have to be looked up elsewhere first.
 */
export function replaceFieldConditions(
  condition: Condition,
  field: string,
  replacement: (values: readonly Value[]) => Condition,
): Condition {
  const inner = (part: Condition) => replaceFieldConditions(part, field, replacement)
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
