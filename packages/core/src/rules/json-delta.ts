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
 *
 * @param names the only properties that may differ. Default: all.
 */
export function jsonDelta(
  before: JsonObject | undefined,
  after: JsonObject | undefined,
  names?: readonly string[],
): JsonDelta {
  if (!before || !after) return { patch: wholeDocumentChange(after), inverse: wholeDocumentChange(before) }
  return { patch: changesBetween(before, after, names), inverse: changesBetween(after, before, names) }
}

function wholeDocumentChange(value: JsonObject | undefined): JsonChange[] {
  return value ? [{ op: 'add', path: '', value }] : [{ op: 'remove', path: '' }]
}

function changesBetween(before: JsonObject, after: JsonObject, names?: readonly string[]): JsonChange[] {
  const change: ObjectChange = { before, after, path: '' }
  const changes: JsonChange[] = []
  if (names) for (const name of names) collectProperty(change, name, changes)
  else collect(change, changes)
  return changes
}

/** An object before and after a change, and its JSON Pointer. */
interface ObjectChange {
  readonly before: JsonObject
  readonly after: JsonObject
  readonly path: string
}

/**
 * Collects the changes. Elements of a list are compared by index: the result is easy to read and cheap to compute, and
 * lists in documents are short.
 */
function collect(change: ObjectChange, changes: JsonChange[]): void {
  const { before, after } = change
  // Removes elements in reverse order, so that the indexes of the other elements stay valid while the list gets
  // shorter.
  for (const name of Object.keys(before).reverse()) {
    // Two versions of a document share their unchanged parts, so most values are identical.
    if (before[name] !== undefined && before[name] !== after[name]) collectProperty(change, name, changes)
  }
  for (const name of Object.keys(after)) {
    if (valueIn(before, name) === undefined) collectProperty(change, name, changes)
  }
}

function collectProperty(change: ObjectChange, name: string, changes: JsonChange[]): void {
  const before = valueIn(change.before, name)
  const after = valueIn(change.after, name)
  if (before === after) return
  const path = `${change.path}/${escapeToken(name)}`
  if (after === undefined) changes.push({ op: 'remove', path })
  else if (before === undefined) changes.push({ op: 'add', path, value: jsonCopy(after) })
  else if (isContainer(before) && isContainer(after) && Array.isArray(before) === Array.isArray(after)) {
    collect({ before, after, path }, changes)
  } else changes.push({ op: 'replace', path, value: jsonCopy(after) })
}

/** Returns the value of a property. Undefined counts as absent, as in JSON. */
function valueIn(container: JsonObject, name: string): unknown {
  return Object.hasOwn(container, name) ? container[name] : undefined
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
