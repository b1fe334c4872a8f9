import { escapeToken } from '../../rules/json-delta.ts'
import type { ShownForm, ShownFormat, StoredCollection } from '../../storage/collection.ts'
import type { ChangeConflict } from '../errors.ts'
import { isChangeable, shownDocument, splitPath } from './shown-change.ts'

type Versions = Omit<ChangeConflict, 'path'>

/**
 * Converts a conflict in a stored document to the form of responses: the path and the values are those of the response
 * that shows the document. A conflict in a part that no response shows is reported for the whole document, without
 * values.
 *
 * @param conflict the path of the part in the stored document; '' for the whole document.
 * @returns several conflicts for a part that responses show as several properties.
 */
export function shownConflicts(
  collection: StoredCollection,
  keys: Readonly<Record<string, string>>,
  { path, ...versions }: ChangeConflict,
  format: ShownFormat,
): readonly ChangeConflict[] {
  const pointer = collection.shownAt(keys)
  if (path === '') {
    // Casts: a conflict of a whole document has documents as its values.
    return [{ path: pointer, ...shownVersions(versions, (value) => shownContent(collection, value as object, format)) }]
  }
  const { name, rest } = splitPath(path)
  const shownForm = collection.shown[name]
  const isHidden = shownForm === null || collection.secrets.includes(name) || !isChangeable(collection, name)
  if (isHidden || (typeof shownForm === 'function' && rest !== '')) return [{ path: pointer }]
  if (typeof shownForm === 'function') return computedConflicts(shownForm, pointer, versions, format)
  return [{ path: `${pointer}/${escapeToken(shownForm ?? name)}${rest}`, ...versions }]
}

function shownContent(collection: StoredCollection, document: object, format: ShownFormat): object {
  const properties = Object.entries(document).filter(([name]) => !collection.secrets.includes(name))
  return shownDocument(collection, Object.fromEntries(properties), format)
}

/** Returns one conflict for each property under which responses show the stored property. */
function computedConflicts(
  shownForm: Exclude<ShownForm, string | null>,
  pointer: string,
  versions: Versions,
  format: ShownFormat,
): readonly ChangeConflict[] {
  const parts = shownVersions(versions, (value) => shownForm(value, format))
  const names = new Set(Object.values(parts).flatMap((part) => Object.keys(part as object)))
  return [...names].map((name) => ({
    path: `${pointer}/${escapeToken(name)}`,
    ...shownVersions(parts, (part) => (part as Readonly<Record<string, unknown>>)[name]),
  }))
}

function shownVersions(versions: Versions, show: (value: unknown) => unknown): Versions {
  const entries = Object.entries(versions).filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(entries.map(([version, value]) => [version, show(value)]))
}
