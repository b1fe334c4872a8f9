/** The difference between two JSON values as JSON Patches (RFC 6902) in both directions. */
export interface JsonDelta {
  readonly patch: readonly JsonChange[]
  readonly inverse: readonly JsonChange[]
}

/** An operation of a JSON Patch, limited to those that a difference needs. */
export type JsonChange =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

type JsonObject = Readonly<Record<string, unknown>>

/**
 * Returns the difference of two JSON objects. An object that is undefined on one side is added or removed as a whole.
 */
export function jsonDelta(before: JsonObject | undefined, after: JsonObject | undefined): JsonDelta {
  if (before && after) return { patch: changesBetween(before, after), inverse: changesBetween(after, before) }
  return { patch: wholeDocumentChange(after), inverse: wholeDocumentChange(before) }
}

function wholeDocumentChange(value: JsonObject | undefined): JsonChange[] {
  return value ? [{ op: 'add', path: '', value }] : [{ op: 'remove', path: '' }]
}

function changesBetween(before: JsonObject, after: JsonObject): JsonChange[] {
  const changes: JsonChange[] = []
  collect(before, after, '', changes)
  return changes
}

/**
 * Collects the changes. Elements of a list are compared by index: the result is easy to read and cheap to compute, and
 * lists in documents are short.
 */
function collect(before: JsonObject, after: JsonObject, path: string, changes: JsonChange[]): void {
  if (before === after) return
  // Removes elements in reverse order, so that the indexes of the other elements stay valid while the list gets
  // shorter.
  for (const name of Object.keys(before).reverse()) {
    const oldValue = before[name]
    const newValue = after[name]
    // Two versions of a document share their unchanged parts, so most values are identical.
    if (oldValue === newValue || !hasProperty(before, name)) continue
    const childPath = `${path}/${escapeToken(name)}`
    if (!hasProperty(after, name)) changes.push({ op: 'remove', path: childPath })
    else if (isContainer(oldValue) && isContainer(newValue) && Array.isArray(oldValue) === Array.isArray(newValue)) {
      collect(oldValue, newValue, childPath, changes)
    } else if (oldValue !== newValue) changes.push({ op: 'replace', path: childPath, value: jsonCopy(newValue) })
  }
  for (const name of Object.keys(after)) {
    if (after[name] !== before[name] && hasProperty(after, name) && !hasProperty(before, name)) {
      changes.push({ op: 'add', path: `${path}/${escapeToken(name)}`, value: jsonCopy(after[name]) })
    }
  }
}

/** Returns false for undefined properties, which JSON omits. */
function hasProperty(container: JsonObject, name: string): boolean {
  return Object.hasOwn(container, name) && container[name] !== undefined
}

function isContainer(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}

/** Returns the value as JSON represents it: without undefined properties. */
function jsonCopy(value: unknown): unknown {
  return isContainer(value) ? JSON.parse(JSON.stringify(value)) : value
}

/** Escapes a name for a JSON Pointer (RFC 6901). */
export function escapeToken(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name
}
