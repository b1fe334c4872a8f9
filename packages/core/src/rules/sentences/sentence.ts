/** Maximum number of characters of the line about one entry of the change log, and of each sentence in it. */
export const maxSentenceCharacters = 250

/** The verbs with which sentences begin, in the past tense. */
export const sentenceVerbs = [
  'accepted',
  'added',
  'applied',
  'approved',
  'archived',
  'canceled',
  'changed',
  'commented',
  'copied',
  'created',
  'declined',
  'deleted',
  'deprecated',
  'ended',
  'failed',
  'granted',
  'held',
  'hid',
  'imported',
  'inverted',
  'invited',
  'made',
  'marked',
  'moved',
  'named',
  'recorded',
  'removed',
  'renamed',
  'reordered',
  'replaced',
  'requested',
  'reset',
  'restarted',
  'restored',
  'restricted',
  'resumed',
  'revoked',
  'rolled',
  'scheduled',
  'set',
  'showed',
  'started',
  'stopped',
  'turned',
] as const

/** Maximum number of characters of a name in a sentence. */
const maxNameCharacters = 40

/** Maximum number of names that a sentence lists. */
const maxListed = 3

/** The resource that a sentence of the change log is about. */
export interface Subject {
  /** Name before the change, e.g. `Checkout`. */
  readonly name: string
  /**
   * The environment of the resource as text, e.g. ` in Production`; '' for a resource that does not belong to an
   * environment.
   */
  readonly place: string
  /** Name and place, e.g. `Checkout in Production`. */
  readonly it: string
  /** Noun of the resource, e.g. `flag`. */
  readonly noun: string
  /**
   * Returns the name of another document, or its key when the call has not read it.
   *
   * @param collection name of its collection, e.g. `member`.
   * @param key the last key of its address.
   */
  nameOf(collection: string, key: string): string
}

/** Returns what a call did with a resource: in the past tense, and without the actor. */
export type Sentence = (subject: Subject) => string

/**
 * Describes what changed between two states of a document. Returns an empty list if sentences of other properties
 * describe the change.
 */
export type PropertySentence<T> = {
  // Declared as a method, because the compiler compares parameters of methods in both directions. So tables of
  // sentences for all types of documents can be assigned to one type.
  of(before: T, after: T, subject: Subject): string | readonly string[]
}['of']

/**
 * Sentences about the documents of a collection, in place of sentences that are derived from names of properties.
 */
export interface Sentences<T> {
  /** Returns the name of a document. `whole` is the name of the document that it is a part of. */
  name?(document: T, whole: string): string
  created?(document: T, subject: Subject): string | readonly string[]
  deleted?(document: T, subject: Subject): string | readonly string[]
  /** By name of the property: the label of the property, e.g. `SDK key`, or the sentence about its change. */
  readonly changed?: { readonly [Property in keyof T]?: string | PropertySentence<T> }
}

/** Shortens a text to a name that fits in a sentence, on one line. */
export function shortName(text: string, maxCharacters: number = maxNameCharacters): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  // A text has at least as many code units as characters.
  if (line.length <= maxCharacters) return line
  const characters = [...line]
  return characters.length <= maxCharacters ? line : `${characters.slice(0, maxCharacters - 1).join('')}…`
}

/** Returns a list of names for a sentence, e.g. `a, b, c and 3 more`. */
export function listed(names: readonly string[]): string {
  const listedNames = names.slice(0, maxListed).map((name) => shortName(name))
  const rest = names.length - listedNames.length
  return rest > 0 ? `${listedNames.join(', ')} and ${rest} more` : listedNames.join(', ')
}

/**
 * Returns a noun with its number, e.g. `a rule` or `3 rules`.
 *
 * @param plural the noun in the plural; the function derives the singular from it.
 */
export function counted(count: number, plural: string): string {
  if (count !== 1) return `${count} ${plural}`
  const noun = singular(plural)
  return `${/^[aeio]|^u(?!s)/i.test(noun) ? 'an' : 'a'} ${noun}`
}

/** Returns named things, e.g. `the tag a` or `the tags a, b`. */
export function named(names: readonly string[], plural: string): string {
  return `the ${names.length === 1 ? singular(plural) : plural} ${listed(names)}`
}

/** Returns the singular of a regular English plural, and any other text unchanged. */
export function singular(plural: string): string {
  if (/ies$/.test(plural)) return plural.replace(/ies$/, 'y')
  if (/(ch|sh|x|ss)es$/.test(plural)) return plural.slice(0, -2)
  return /[^s]s$/.test(plural) ? plural.slice(0, -1) : plural
}

/** Returns the word for the state of a switch. */
export function onOrOff(isOn: boolean): string {
  return isOn ? 'on' : 'off'
}

/**
 * Joins sentences into one line, e.g. `turned on Checkout in Production; renamed Checkout to Till`. A sentence that
 * ends with a colon introduces the following ones. Sentences that do not fit are counted.
 */
export function joinSentences(sentences: readonly string[]): string {
  let line = ''
  for (const [index, sentence] of sentences.entries()) {
    const rest = sentences.length - index
    const longer = line === '' ? sentence : `${line}${line.endsWith(':') ? ' ' : '; '}${sentence}`
    const reserve = rest > 1 ? ` and ${rest - 1} more`.length + 1 : 0
    if (line !== '' && [...longer].length + reserve > maxSentenceCharacters) return `${line}; and ${rest} more`
    line = longer
  }
  return shortName(line, maxSentenceCharacters)
}

/**
 * Returns the sentence about a switch.
 *
 * @param property name of a boolean property.
 * @param on the sentence for a property that became true. `off` is the sentence for a property that became false.
 */
export function switchSentence<T>(property: keyof T, on: Sentence, off: Sentence): PropertySentence<T> {
  return (_before, after, subject) => (after[property] ? on : off)(subject)
}

/** Returns a time (integer ms) as text, e.g. `2026-11-23 09:00 UTC`. */
export function dateText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')} UTC`
}
