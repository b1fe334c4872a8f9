import * as v from 'valibot'

type Issue = v.BaseIssue<unknown>

/** Passes over a body in search of unknown members: as many as one object can have told. */
const maxPasses = 20

/** Whether a member is at fault that an object must not have. */
export function isUnknownProperty({ type, expected }: Issue): boolean {
  return type === 'strict_object' && expected === 'never'
}

/**
 * The unknown members of a value besides those that were found already. The validation library names the first one of
 * an object alone, so the value is looked at again without those, until there is none left
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d3-error-body).
 *
 * @param issues what the library has found.
 */
export function otherUnknownProperties(schema: v.GenericSchema, value: unknown, issues: readonly Issue[]): Issue[] {
  const others: Issue[] = []
  let rest = value
  let found = issues.filter(isUnknownProperty)
  for (let pass = 0; found.length > 0 && pass < maxPasses; pass++) {
    const less = found.reduce((left, issue) => without(left, pathOf(issue)), rest)
    // What stands elsewhere than in the value as it came cannot be taken out of it.
    if (less === rest) break
    rest = less
    found = v.safeParse(schema, rest).issues?.filter(isUnknownProperty) ?? []
    others.push(...found)
  }
  return others
}

function pathOf({ path }: Issue): readonly unknown[] {
  return path?.map(({ key }) => key) ?? []
}

/** A copy without the member at a path; the value itself where there is none. */
function without(value: unknown, [key, ...inner]: readonly unknown[]): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key as string)) return value
  const members = value as Readonly<Record<string, unknown>>
  const name = String(key)
  if (inner.length === 0) return Object.fromEntries(Object.entries(members).filter(([one]) => one !== name))
  const less = without(members[name], inner)
  if (less === members[name]) return value
  return Array.isArray(value) ? value.with(Number(name), less) : { ...members, [name]: less }
}
