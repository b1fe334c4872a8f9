import { jsonEqual } from '../json-equal.ts'
import { counted, listed, named, type Subject, shortName } from './sentence.ts'

/** Maximum number of characters of a value in a sentence. A longer value is in the delta of the entry only. */
const maxValueCharacters = 40

type JsonObject = Readonly<Record<string, unknown>>

/** Returns the label of a property: its name as words, e.g. `default TTL` for `defaultTtl`. */
export function labelOf(property: string): string {
  return property
    .replace(/^_/, '')
    .replace(/([a-z\d])([A-Z])/g, (_, last: string, next: string) => `${last} ${next.toLowerCase()}`)
    .replace(/ id$/, '')
    .replace(/ keys$/, 's')
    .replace(/ key$/, '')
}

/** Sentences about changes of properties that have the same meaning in all documents, e.g. `name` or `on`. */
const commonSentences: Readonly<Record<string, (before: unknown, after: unknown, subject: Subject) => string>> = {
  name: (_, after, { name, place }) => `renamed ${name} to ${shortName(String(after))}${place}`,
  on: (_, after, { it }) => `turned ${after === true ? 'on' : 'off'} ${it}`,
  archived: (_, after, { it }) => `${after === true ? 'archived' : 'restored'} ${it}`,
  deprecated: (_, after, { it }) => (after === true ? `deprecated ${it}` : `ended the deprecation of ${it}`),
}

/** The value of a property before and after a change. */
interface ValueChange<T> {
  readonly before: T
  readonly after: T
}

/**
 * Returns sentences about the change of a property: those of `commonSentences`, or by default those for the types of
 * its values.
 */
export function propertySentencesOf(
  property: string,
  before: unknown,
  after: unknown,
  subject: Subject,
): readonly string[] {
  const common = commonSentences[property]
  return common ? [common(before, after, subject)] : propertySentences(labelOf(property), before, after, subject)
}

/**
 * Returns sentences about the change of a property, depending on the types of its values: elements that were added to a
 * list or removed from it, a switch that was turned on, a short value that was replaced by another one.
 *
 * @param label noun of the property, e.g. `tags`.
 */
export function propertySentences(label: string, before: unknown, after: unknown, { it }: Subject): readonly string[] {
  if (Array.isArray(before ?? after) && Array.isArray(after ?? before)) {
    return listSentences(
      label,
      { before: (before ?? []) as readonly unknown[], after: (after ?? []) as readonly unknown[] },
      it,
    )
  }
  if (typeof (before ?? false) === 'boolean' && typeof (after ?? false) === 'boolean') {
    return [`turned ${after === true ? 'on' : 'off'} the ${label} of ${it}`]
  }
  if (isDictionary(before) && isDictionary(after)) return dictionarySentences(label, { before, after }, it)
  if (isAbsent(after)) return [`removed the ${label} of ${it}`]
  const text = valueText(after)
  if (isAbsent(before))
    return [text === undefined ? `set the ${label} of ${it}` : `set the ${label} of ${it} to ${text}`]
  const previous = valueText(before)
  return [
    text === undefined || previous === undefined
      ? `changed the ${label} of ${it}`
      : `changed the ${label} of ${it} from ${previous} to ${text}`,
  ]
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

/** Returns a short value as text; undefined for a value that does not fit in a sentence. */
function valueText(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || [...value].length > maxValueCharacters || /[\n\r]/.test(value)) return undefined
  return shortName(value)
}

function isDictionary(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function dictionarySentences(label: string, { before, after }: ValueChange<JsonObject>, it: string): readonly string[] {
  const ownValue = (object: JsonObject, name: string) => (Object.hasOwn(object, name) ? object[name] : undefined)
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const differing = names.filter((name) => !jsonEqual(ownValue(before, name), ownValue(after, name)))
  const text = (object: JsonObject, name: string) => valueText(ownValue(object, name))
  const [name] = differing
  if (differing.length === 1 && name !== undefined && ownValue(before, name) !== undefined && text(after, name)) {
    const from = text(before, name)
    if (from !== undefined) return [`changed ${name} in the ${label} of ${it} from ${from} to ${text(after, name)}`]
  }
  return [`changed ${listed(differing)} in the ${label} of ${it}`]
}

/**
 * Returns sentences about the elements of a list that were added, removed and changed. Elements with ids are compared
 * by their ids.
 */
function listSentences(
  label: string,
  { before, after }: ValueChange<readonly unknown[]>,
  it: string,
): readonly string[] {
  const byIdBefore = new Map(before.map((element) => [identityOf(element), element]))
  const byIdAfter = new Map(after.map((element) => [identityOf(element), element]))
  const added = [...byIdAfter].filter(([id]) => !byIdBefore.has(id)).map(([, element]) => element)
  const removed = [...byIdBefore].filter(([id]) => !byIdAfter.has(id)).map(([, element]) => element)
  const changed = [...byIdAfter]
    .filter(([id, element]) => byIdBefore.has(id) && !jsonEqual(byIdBefore.get(id), element))
    .map(([, element]) => element)
  const sentences = [
    ...(added.length > 0 ? [`added ${elements(added, label)} to ${it}`] : []),
    ...(removed.length > 0 ? [`removed ${elements(removed, label)} from ${it}`] : []),
    ...(changed.length > 0 ? [`changed ${elements(changed, label)} of ${it}`] : []),
  ]
  return sentences.length > 0 ? sentences : [`reordered the ${label} of ${it}`]
}

/** Returns the names of elements, or their number when some have no name. */
function elements(list: readonly unknown[], label: string): string {
  const names = list.map(elementName)
  return names.every((name) => name !== undefined) ? named(names, label) : counted(list.length, label)
}

function elementName(element: unknown): string | undefined {
  if (typeof element === 'string' || typeof element === 'number') return String(element)
  if (!isDictionary(element)) return undefined
  const { name, key, randomizationUnit } = element
  return [name, key, randomizationUnit].find((text): text is string => typeof text === 'string' && text !== '')
}

function identityOf(element: unknown): unknown {
  if (!isDictionary(element)) return element
  return element._id ?? element.id ?? element.key ?? JSON.stringify(element)
}
