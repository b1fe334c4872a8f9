// A new body shares its unchanged parts with the version before, so parts that are known to be frozen are not visited
// again. `Object.isFrozen` does not help, because it says nothing about the values inside a frozen object. Only large
// direct properties of bodies are recorded: recording more would cost more than visiting them.
const fewValues = 16
const known = new WeakSet<object>()

// Properties are visited by name, because a list of the values of each object would allocate more than what is stored.
type Members = Readonly<Record<string, unknown>>

/**
 * Freezes a body deeply, in place.
 *
 * @throws TypeError for a value that is not JSON and cannot be frozen, such as a typed array; RangeError for a circular
 *   value.
 */
export function freezeBody(body: unknown): void {
  if (!isObject(body)) return
  for (const name in body) {
    const member = (body as Members)[name]
    if (isObject(member) && !known.has(member)) freezeMember(member)
  }
  Object.freeze(body)
}

function freezeMember(member: object): void {
  let values = 0
  let large = false
  for (const name in member) {
    const value = (member as Members)[name]
    deepFreeze(value)
    large ||= ++values > fewValues || isObject(value)
  }
  Object.freeze(member)
  if (large) known.add(member)
}

/** Freezes a JSON value deeply like `freezeBody`, without recording it: for values that are stored once. */
export function deepFreeze(value: unknown): void {
  if (!isObject(value)) return
  if (Array.isArray(value)) for (const item of value) deepFreeze(item)
  else for (const name in value) deepFreeze((value as Members)[name])
  Object.freeze(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
