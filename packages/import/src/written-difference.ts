/** One operation of a JSON Patch. */
export interface PatchOperation {
  readonly op: 'add' | 'remove'
  readonly path: string
  readonly value?: unknown
}

/**
 * The patch that makes members of something as they are wanted; empty where they are.
 *
 * @param wanted the members by name; one that is undefined is to be taken away.
 * @param at the JSON pointer to what has them.
 */
export function differences(wanted: object, current: object, at = ''): PatchOperation[] {
  return Object.entries(wanted).flatMap(([name, value]): PatchOperation[] => {
    const there = (current as Readonly<Record<string, unknown>>)[name]
    const path = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (isAsWanted(value, there)) return []
    return value === undefined ? [{ op: 'remove', path }] : [{ op: 'add', path, value }]
  })
}

/** Whether something is as it is wanted. Ids that nobody asks for are made anew each time, and make no difference. */
export function isAsWanted(wanted: unknown, current: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return Object.is(wanted, current)
  if (typeof current !== 'object' || current === null || Array.isArray(wanted) !== Array.isArray(current)) return false
  const [left, right] = [wanted, current] as [Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  if (left._id === undefined) names.delete('_id')
  return [...names].every((name) => isAsWanted(left[name], right[name]))
}
