/** Returns a changed copy of a value. */
export type Reshape = (value: unknown) => unknown

type JsonObject = Readonly<Record<string, unknown>>

/** Adds properties that an object does not have. */
export function withDefaults(defaults: JsonObject | ((object: JsonObject) => JsonObject)): Reshape {
  return onObject((object) => ({ ...(typeof defaults === 'function' ? defaults(object) : defaults), ...object }))
}

/** Removes properties that are null. */
export function withoutNull(...names: readonly string[]): Reshape {
  return onObject((object) =>
    Object.fromEntries(Object.entries(object).filter(([name, value]) => value !== null || !names.includes(name))),
  )
}

/** Replaces an object by the result of a function. */
export function onObject(change: (object: JsonObject) => unknown): Reshape {
  return (value) => (isObject(value) ? change(value) : value)
}

/** Reshapes in several steps. */
export function inOrder(...steps: readonly Reshape[]): Reshape {
  return (value) => steps.reduce((reshaped, step) => step(reshaped), value)
}

/**
 * Reshapes the values at a path, where they are present.
 *
 * @param path names of properties, separated by dots; `*` selects every element of an array, or every value of an
 *   object, e.g. `items.*.environments`.
 */
export function at(path: string, reshape: Reshape): Reshape {
  const [first = '', ...rest] = path.split('.')
  const inner = rest.length === 0 ? reshape : at(rest.join('.'), reshape)
  if (first !== '*') {
    return onObject((object) => (object[first] === undefined ? object : { ...object, [first]: inner(object[first]) }))
  }
  return (value) => {
    if (Array.isArray(value)) return value.map(inner)
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]))
      : value
  }
}

/** Returns the values at a path of `at`, where they are present. */
export function valuesAt(path: string, value: unknown): unknown[] {
  const values: unknown[] = []
  at(path, (each) => {
    values.push(each)
    return each
  })(value)
  return values
}

/** Replaces a time, integer ms, by its text in the format of RFC 3339. */
export const isoTime: Reshape = (value) => (typeof value === 'number' ? new Date(value).toISOString() : value)

/** Wraps a list in a collection: an object with the items and their number. */
export const collectionOfList: Reshape = (value) =>
  Array.isArray(value) ? { totalCount: value.length, items: value } : value

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
