// Bodies are built by sharing what did not change with the version before, so most of what comes in is known
// already. `Object.isFrozen` alone would not do: it says nothing about what a frozen object holds.
const frozen = new WeakSet<object>()

/**
 * Freezes a JSON value through and through, in place, and returns it.
 *
 * @throws TypeError for what is no JSON and cannot be frozen, such as a typed array; RangeError for a circle.
 */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || frozen.has(value)) return value
  if (Array.isArray(value)) for (const item of value) deepFreeze(item)
  else for (const key of Object.keys(value)) deepFreeze(value[key as keyof T])
  Object.freeze(value)
  frozen.add(value)
  return value
}
