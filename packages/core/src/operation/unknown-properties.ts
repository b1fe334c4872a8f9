import * as v from 'valibot'

type Issue = v.BaseIssue<unknown>

/**
 * Maximum number of validations of a body in search of unknown properties. Each one finds at most one unknown property
 * per object.
 */
const maxPasses = 20

/** Returns true when an issue is about a property that the schema does not have. */
export function isUnknownProperty({ type, expected }: Issue): boolean {
  return type === 'strict_object' && expected === 'never'
}

/**
 * Returns the issues of unknown properties that the first validation did not find. The validation library reports only
 * the first unknown property of each object, so the value is validated again without the reported ones, until no
 * further one is found (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
 *
 * @param issues issues that the library has reported.
 */
export function otherUnknownProperties(schema: v.GenericSchema, value: unknown, issues: readonly Issue[]): Issue[] {
  const others: Issue[] = []
  let current = value
  let unknown = issues.filter(isUnknownProperty)
  for (let pass = 0; unknown.length > 0 && pass < maxPasses; pass++) {
    const reduced = unknown.reduce((remaining, issue) => withoutProperty(remaining, pathOf(issue)), current)
    // The unknown property is in a transformed value and not in the original one, so there is nothing to remove.
    if (reduced === current) break
    current = reduced
    unknown = v.safeParse(schema, current).issues?.filter(isUnknownProperty) ?? []
    others.push(...unknown)
  }
  return others
}

function pathOf({ path }: Issue): readonly unknown[] {
  return path?.map(({ key }) => key) ?? []
}

/** Returns a copy without the property at a path, or the value itself when there is no such property. */
function withoutProperty(value: unknown, [key, ...inner]: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key as string)) return value
  const properties = value as Readonly<Record<string, unknown>>
  const name = String(key)
  if (inner.length === 0)
    return Object.fromEntries(Object.entries(properties).filter(([property]) => property !== name))
  const reduced = withoutProperty(properties[name], inner)
  if (reduced === properties[name]) return value
  return Array.isArray(value) ? value.with(Number(name), reduced) : { ...properties, [name]: reduced }
}
