/**
 * Whether two JSON values are equal: numbers by value, objects without regard to member order (RFC 6902, 4.6).
 * A member that is undefined counts as absent, as it does when the value is written as JSON.
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
  for (const name in a) if (a[name] !== undefined && !jsonEqual(a[name], b[name])) return false
  for (const name in b) if (b[name] !== undefined && a[name] === undefined) return false
  return true
}
