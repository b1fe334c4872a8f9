// A new body shares what did not change with the version before: what is known already need not be walked again.
// `Object.isFrozen` would not do, as it says nothing about what a frozen object holds. Only direct members of bodies are
// remembered, and only those that are large: to remember more would cost more than to walk it.
const fewValues = 16
const known = new WeakSet<object>()

// Gone through by name: to make a list of the values of each would leave behind more than what is stored.
type Members = Readonly<Record<string, unknown>>

/**
 * Freezes a body through and through, in place.
 *
 * @throws TypeError for what is no JSON and cannot be frozen, such as a typed array; RangeError for a circle.
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

/** Freezes a JSON value like `freezeBody`, without remembering it: for what is stored once and not again. */
export function deepFreeze(value: unknown): void {
  if (!isObject(value)) return
  if (Array.isArray(value)) for (const item of value) deepFreeze(item)
  else for (const name in value) deepFreeze((value as Members)[name])
  Object.freeze(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
