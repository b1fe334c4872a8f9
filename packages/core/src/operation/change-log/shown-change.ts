import { parseAddress } from '../../rules/address.ts'
import { escapeToken, type JsonChange, type JsonDelta, jsonDelta } from '../../rules/json-delta.ts'
import { changedSince, type WrittenDocument } from '../../storage/changed-document.ts'
import {
  loggedCollection,
  type ShownForm,
  type ShownFormat,
  type StoredCollection,
  type Versioned,
} from '../../storage/collection.ts'
import type { LoggedChange } from './change-log-entry.ts'

type Properties = Readonly<Record<string, unknown>>

/**
 * Returns the difference that an entry must also store for responses, if responses cannot be computed from the
 * difference of the stored documents.
 *
 * @param seen document that the caller saw before the change.
 * @param isStored true when `seen` is the stored document.
 * @returns undefined when the difference of the stored documents is sufficient.
 */
export function shownEdit(seen: Versioned, written: WrittenDocument, isStored: boolean): JsonDelta | undefined {
  const { collection } = written
  const names = changedSince(seen, written).filter(
    (name) => isChangeable(collection, name) && !collection.secrets.includes(name),
  )
  const isComputed = (name: string) => typeof shownAs(collection, name) === 'function'
  if (isStored && !names.some(isComputed)) return undefined
  // Casts: documents are JSON objects, of which only the properties are used here.
  const [old, after] = [seen as Versioned & Properties, (written.after ?? seen) as Versioned & Properties]
  const plain = names.filter((name) => !isComputed(name))
  const whole = names.filter(isComputed).map((name) => ({ name, before: old[name], after: after[name] }))
  const { patch, inverse } = jsonDelta(old, after, plain)
  return {
    patch: [...patch, ...whole.map(({ name, before, after }) => wholeChange(name, before, after))],
    inverse: [...inverse, ...whole.map(({ name, before, after }) => wholeChange(name, after, before))],
  }
}

/**
 * Returns the difference of a change as responses show the resource: JSON Patches whose paths and values are those of
 * the response to a GET. Internal properties, versions and times that follow from a change are omitted. A part of
 * another resource has no separate difference when it is created or deleted together with that resource.
 */
export function shownDelta(change: LoggedChange, format: ShownFormat): JsonDelta {
  const delta = change.edit ?? change
  const { patch, inverse } = delta
  const collection = loggedCollection(change.kind)
  if (!collection) return { patch, inverse }
  const pointer = pointerOf(collection, change.resource)
  if (patch[0]?.path === '' || inverse[0]?.path === '') {
    if (pointer !== '') return { patch: [], inverse: [] }
    return { patch: patch.map(wholeShown), inverse: inverse.map(wholeShown) }
  }
  const computed = computedDelta(collection, delta, format)
  const responseChanges = (list: readonly JsonChange[], of: readonly JsonChange[]) =>
    [...list.flatMap((each) => renamed(collection, each)), ...of].map((each) => ({
      ...each,
      path: pointer + each.path,
    }))
  return { patch: responseChanges(patch, computed.patch), inverse: responseChanges(inverse, computed.inverse) }

  function wholeShown(each: JsonChange): JsonChange {
    // Cast: a patch of a whole document has the document as its value.
    return 'value' in each
      ? { ...each, value: shownDocument(collection as StoredCollection, each.value as Properties, format) }
      : each
  }
}

/**
 * Returns a document as responses show it, without its version and without properties that are computed from others.
 */
export function shownDocument(collection: StoredCollection, document: Properties, format: ShownFormat): Properties {
  const response: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(document)) {
    const responseName = shownAs(collection, name)
    if (responseName === null || name === 'version' || value === undefined || value === null) continue
    if (typeof responseName === 'function') merge(response, responseName(value, format))
    else response[responseName ?? name] = value
  }
  return response
}

/**
 * Returns the change of a property under its name in responses; no change for a property that responses do not show.
 */
function renamed(collection: StoredCollection, change: JsonChange): readonly JsonChange[] {
  const { name, rest } = splitPath(change.path)
  const responseName = shownAs(collection, name)
  if (!isChangeable(collection, name) || responseName === null) return []
  // Entries of earlier versions contain changes inside of such a property; these are returned as they are stored.
  if (typeof responseName === 'function') return rest === '' ? [] : [change]
  return [{ ...change, path: `/${escapeToken(responseName ?? name)}${rest}` }]
}

/** Returns the changes of the properties that responses show in another form. */
function computedDelta(collection: StoredCollection, { patch, inverse }: JsonDelta, format: ShownFormat): JsonDelta {
  const names = patch
    .map(({ path }) => splitPath(path))
    .filter(({ name, rest }) => rest === '' && isChangeable(collection, name))
    .map(({ name }) => name)
  const shownWith = (list: readonly JsonChange[]) => {
    const response: Record<string, unknown> = {}
    for (const name of names) {
      const responseName = shownAs(collection, name)
      const change = list.find(({ path }) => path === `/${escapeToken(name)}`)
      const value = change && 'value' in change ? change.value : undefined
      if (typeof responseName === 'function' && value !== undefined && value !== null)
        merge(response, responseName(value, format))
    }
    return response
  }
  return jsonDelta(shownWith(inverse), shownWith(patch))
}

/** Adds properties to a response. Several properties of a document can be parts of one property of the response. */
function merge(response: Record<string, unknown>, properties: Properties): void {
  for (const [name, value] of Object.entries(properties)) {
    const existing = response[name]
    response[name] = isObject(existing) && isObject(value) ? { ...existing, ...value } : value
  }
}

function isObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function shownAs({ shown }: StoredCollection, name: string): ShownForm | undefined {
  return shown[name]
}

/**
 * Returns true for a property that callers can change, and for a property that is computed from changes and has a
 * declared name in responses. All other properties are internal, or times.
 */
export function isChangeable({ changes, shown }: StoredCollection, name: string): boolean {
  return ((changes as Properties | undefined)?.[name] ?? null) !== null || typeof shown[name] === 'string'
}

/** Returns the JSON Pointer of a document in the response that shows it. */
function pointerOf({ address, shownAt }: StoredCollection, resource: string): string {
  const levels = parseAddress(resource) ?? []
  const keys = Object.fromEntries(
    address.parameters.flatMap((parameter, i) => (parameter === undefined ? [] : [[parameter, levels[i]?.key ?? '']])),
  )
  return shownAt(keys)
}

function wholeChange(name: string, before: unknown, after: unknown): JsonChange {
  const path = `/${escapeToken(name)}`
  if (after === undefined) return { op: 'remove', path }
  return { op: before === undefined ? 'add' : 'replace', path, value: after }
}

/** Returns the name of the property at the root of a JSON Pointer, and the rest of the pointer. */
export function splitPath(path: string): { readonly name: string; readonly rest: string } {
  const end = path.indexOf('/', 1)
  const token = end < 0 ? path.slice(1) : path.slice(1, end)
  return { name: token.replaceAll('~1', '/').replaceAll('~0', '~'), rest: end < 0 ? '' : path.slice(end) }
}
