import { formatPointer } from '../json-patch/index.ts'

/** A value in a condition or an instruction that depends on the flag, the environment or the day. */
export interface FoundParameter {
  /** JSON Pointer of the value, e.g. `/clauses/0/values`. */
  readonly path: string
  readonly value: unknown
}

/** Names of properties whose values differ between flags: dates, and ids of variations, rules and clauses. */
const ownNames =
  /^(variationId|\w+VariationId|rolloutWeights|ruleId|\w+RuleId|ruleIds|clauseId|clauseIds|executionDate)$/

/** Instructions whose `key` names another flag. */
const prerequisiteKinds = /Prerequisite/

/** Returns the parameters of a condition or an instruction, in the order of its properties. */
export function findParameters(part: { readonly kind: string }): FoundParameter[] {
  return parametersIn(part, [], prerequisiteKinds.test(part.kind))
}

function parametersIn(value: unknown, tokens: readonly (string | number)[], namesFlags: boolean): FoundParameter[] {
  if (typeof value !== 'object' || value === null) return []
  const isSegmentClause = (value as { op?: unknown }).op === 'segmentMatch'
  return Object.entries(value).flatMap(([name, item]): FoundParameter[] => {
    const path = [...tokens, name]
    const isParameter = ownNames.test(name) || (isSegmentClause && name === 'values') || (namesFlags && name === 'key')
    return isParameter ? [{ path: formatPointer(path), value: item }] : parametersIn(item, path, namesFlags)
  })
}

/**
 * Returns a copy of a JSON value with another value at a JSON Pointer.
 *
 * @param tokens tokens of the pointer; each but the last names an existing object or list.
 */
export function withValueAt(container: unknown, tokens: readonly string[], value: unknown): unknown {
  const [token, ...rest] = tokens
  if (token === undefined) return value
  if (Array.isArray(container)) {
    return container.map((item, index) => (String(index) === token ? withValueAt(item, rest, value) : item))
  }
  const object = container as Readonly<Record<string, unknown>>
  return { ...object, [token]: withValueAt(object[token], rest, value) }
}

/** Returns a JSON value with other ids. An id is the value itself, an element of a list, or the name of a property. */
export function withOtherIds(value: unknown, idOf: (id: string) => string): unknown {
  if (typeof value === 'string') return idOf(value)
  if (Array.isArray(value)) return value.map((item) => withOtherIds(item, idOf))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [idOf(name), item]))
}
