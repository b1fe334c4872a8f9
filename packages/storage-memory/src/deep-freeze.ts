// A new body shares its unchanged parts with the previous version, so parts that are known to be frozen are not visited
// again. `Object.isFrozen` does not help, because it says nothing about the values inside a frozen object. Only large
// direct properties of bodies are recorded: recording more would cost more than visiting them, because the garbage
// collector visits each entry of a WeakSet.
const smallSize = 16
const frozen = new WeakSet<object>()

// Properties are visited by name, because a list of the values of each object would allocate more memory than the
// stored data need.
type Properties = Readonly<Record<string, unknown>>

/**
 * Freezes a body deeply, in place.
 *
 * @throws TypeError for a value that is not JSON and cannot be frozen, such as a typed array; RangeError for a circular
 *   value.
 */
export function freezeBody(body: unknown): void {
  if (!isObject(body)) return
  for (const name in body) {
    const property = (body as Properties)[name]
    if (isObject(property) && !frozen.has(property)) freezeProperty(property)
  }
  Object.freeze(body)
}

function freezeProperty(object: object): void {
  if (freezeValues(object) > smallSize) frozen.add(object)
}

/** Freezes a JSON value deeply like `freezeBody`, without recording it: for values that are stored once. */
export function deepFreeze(value: unknown): void {
  if (isObject(value)) freezeValues(value)
}

/** Freezes an object deeply and returns the number of values in it. */
function freezeValues(object: object): number {
  let values = 0
  if (Array.isArray(object)) for (const item of object) values += isObject(item) ? freezeValues(item) : 1
  else {
    for (const name in object) {
      const value = (object as Properties)[name]
      values += isObject(value) ? freezeValues(value) : 1
    }
  }
  Object.freeze(object)
  return values
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
