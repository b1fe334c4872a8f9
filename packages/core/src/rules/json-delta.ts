/** How one JSON value became another, and the way back; both are JSON Patches (RFC 6902). */
export interface JsonDelta {
  readonly patch: readonly JsonChange[]
  readonly inverse: readonly JsonChange[]
}

/** An operation of a JSON Patch, as far as it takes some to tell a difference. */
export type JsonChange =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

type JsonObject = Readonly<Record<string, unknown>>

/** The difference of two JSON objects; undefined stands for one that is not there, which is put in or taken away whole. */
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

/** Members of a list are compared by their place: that is read as easily as it is made, and lists of documents are short. */
function collect(before: JsonObject, after: JsonObject, path: string, changes: JsonChange[]): void {
  if (before === after) return
  // From the last to the first, so that the places of a list are still right while it gets shorter.
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

/** What JSON leaves out is not there. */
function has(container: JsonObject, name: string): boolean {
  return Object.hasOwn(container, name) && container[name] !== undefined
}

function isContainer(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null
}

/** As JSON has it: without members that are undefined. */
function copied(value: unknown): unknown {
  return isContainer(value) ? JSON.parse(JSON.stringify(value)) : value
}

/** A name as a pointer has it (RFC 6901). */
function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
