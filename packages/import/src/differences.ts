/** One operation of a JSON Patch. */
export interface PatchOperation {
  readonly op: 'add' | 'remove'
  readonly path: string
  readonly value?: unknown
}

/**
 * Returns the patch that sets properties to desired values; empty when they have these values.
 *
 * @param desired the desired values by name; undefined removes the property.
 * @param at the JSON pointer to the object with the properties.
 */
export function differences(desired: object, current: object, at = ''): PatchOperation[] {
  return Object.entries(desired).flatMap(([name, value]): PatchOperation[] => {
    const currentValue = (current as Readonly<Record<string, unknown>>)[name]
    const path = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (matchesDesired(value, currentValue)) return []
    return value === undefined ? [{ op: 'remove', path }] : [{ op: 'add', path, value }]
  })
}

/**
 * Tests whether a value equals the desired one. Ids that are not specified are generated each time, and are ignored.
 */
export function matchesDesired(desired: unknown, current: unknown): boolean {
  if (typeof desired !== 'object' || desired === null) return Object.is(desired, current)
  if (typeof current !== 'object' || current === null || Array.isArray(desired) !== Array.isArray(current)) return false
  const [left, right] = [desired, current] as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  if (left._id === undefined) names.delete('_id')
  return [...names].every((name) => matchesDesired(left[name], right[name]))
}
