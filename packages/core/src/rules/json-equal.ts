/**
 * Returns true if two JSON values are equal (RFC 6902, section 4.6): numbers by value, properties in any order. An
 * undefined property counts as absent, as in JSON.
 */
export function jsonEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) return Array.isArray(b) && equalArrays(a, b)
  return !Array.isArray(b) && equalObjects(a as JsonObject, b as JsonObject)
}

type JsonObject = Readonly<Record<string, unknown>>

function equalArrays(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, i) => jsonEqual(item, b[i]))
}

function equalObjects(a: JsonObject, b: JsonObject): boolean {
  const names = definedNames(a)
  return (
    names.length === definedNames(b).length &&
    names.every((name) => Object.hasOwn(b, name) && jsonEqual(a[name], b[name]))
  )
}

function definedNames(object: JsonObject): string[] {
  return Object.keys(object).filter((name) => object[name] !== undefined)
}
