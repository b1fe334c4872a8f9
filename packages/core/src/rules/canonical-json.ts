/**
 * Serializes a JSON value so that equal values have equal texts: properties are ordered by name, and undefined ones are
 * omitted. Two texts are equal exactly if `jsonEqual` returns true.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  const properties = Object.entries(value)
    .filter(([, propertyValue]) => propertyValue !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, propertyValue]) => `${JSON.stringify(name)}:${canonicalJson(propertyValue)}`)
  return `{${properties.join(',')}}`
}
