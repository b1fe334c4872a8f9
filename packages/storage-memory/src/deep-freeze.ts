// A new body shares what did not change with the version before: what is known already need not be walked again.
// `Object.isFrozen` would not do, as it says nothing about what a frozen object holds. Only direct members of bodies are
// remembered, and only those that are large: to remember more would cost more than to walk it.
const fewValues = 16
const known = new WeakSet<object>()

/**
 * Freezes a body through and through, in place.
 *
 * @throws TypeError for what is no JSON and cannot be frozen, such as a typed array; RangeError for a circle.
 */
export function freezeBody(body: unknown): void {
  if (!isObject(body)) return
  for (const member of Object.values(body)) {
    if (!isObject(member) || known.has(member)) continue
    const held = Object.values(member)
    for (const one of held) deepFreeze(one)
    Object.freeze(member)
    if (held.length > fewValues || held.some(isObject)) known.add(member)
  }
  Object.freeze(body)
}

/** Freezes a JSON value like `freezeBody`, without remembering it: for what is stored once and not again. */
export function deepFreeze(value: unknown): void {
  if (!isObject(value)) return
  if (Array.isArray(value)) for (const item of value) deepFreeze(item)
  else for (const member of Object.values(value)) deepFreeze(member)
  Object.freeze(value)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
