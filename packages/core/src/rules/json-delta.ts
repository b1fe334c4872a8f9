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
 * Returns the difference of two JSON objects; undefined stands for an absent one, which is added or removed as a whole.
 */
export function jsonDelta(before: JsonObject | undefined, after: JsonObject | undefined): JsonDelta {
  if (before && after) return { patch: changesBetween(before, after), inverse: changesBetween(after, before) }
  return { patch: put(after), inverse: put(before) }
}

function put(value: JsonObject | undefined): JsonChange[] {
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
  // In reverse order, so that the indexes of a list stay valid while it gets shorter.
  for (const name of Object.keys(before).reverse()) {
    if (!has(before, name)) continue
    const [old, now] = [before[name], after[name]]
    const place = `${path}/${escaped(name)}`
    if (!has(after, name)) changes.push({ op: 'remove', path: place })
    else if (isContainer(old) && isContainer(now) && Array.isArray(old) === Array.isArray(now)) {
      collect(old, now, place, changes)
    } else if (old !== now) changes.push({ op: 'replace', path: place, value: copied(now) })
  }
  for (const name of Object.keys(after)) {
    if (has(after, name) && !has(before, name)) {
      changes.push({ op: 'add', path: `${path}/${escaped(name)}`, value: copied(after[name]) })
    }
  }
}

/** Returns false for undefined properties, which JSON omits. */
function has(container: JsonObject, name: string): boolean {
  return Object.hasOwn(container, name) && container[name] !== undefined
}

function isContainer(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}

/** Returns the value as JSON represents it: without undefined properties. */
function copied(value: unknown): unknown {
  return isContainer(value) ? JSON.parse(JSON.stringify(value)) : value
}

/** Escapes a name for a JSON Pointer (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
