import type { SingleContext } from '../../rules/contexts/sighting.ts'
import { documents, type Versioned } from '../../storage/collection.ts'
import type { Fields } from '../../storage/port.ts'

/** A context of one kind that was seen in an environment. Its id is made from kind and key. */
export interface SeenContext extends Versioned {
  readonly context: SingleContext
  /** Integer ms, UTC; later uses within `sightingMs` are not stored. */
  readonly lastSeen: number
}

/** A combination of contexts that was seen in an environment: usually the contexts of one user, device and account. */
export interface ContextInstance extends Versioned {
  /** Id that is computed from the kinds and keys of the contexts. */
  readonly id: string
  /** One context of each kind. */
  readonly contexts: readonly SingleContext[]
  /** Kinds of contexts that were anonymous. The contexts themselves are not stored. */
  readonly anonymousKinds: readonly string[]
  /** Integer ms, UTC; later uses within `sightingMs` are not stored. */
  readonly lastSeen: number
}

/** Time within which a second use of the same context is not stored, in ms. */
export const sightingMs = 10 * 60 * 1000

/** Time after which a context that was not used again is deleted, in ms. */
export const contextRetentionMs = 30 * 24 * 60 * 60 * 1000

/**
 * Maximum number of contexts, and also of instances, that are stored for an environment; further ones are not added.
 */
export const maxSeenContexts = 100_000

/** Maximum number of attributes by which searches can find a context. */
const maxIndexedAttributes = 100

/** Maximum length of the value of an attribute by which a context is found, in UTF-16 units. */
const maxIndexedValue = 256

export const seenContexts = documents<SeenContext>()({
  name: 'seen-context',
  address: 'proj/{projectKey}:env/{environmentKey}:seen-context/{contextId}',
  fields: ({ context, lastSeen }) => searchFields([context], lastSeen),
})

export const contextInstances = documents<ContextInstance>()({
  name: 'context-instance',
  address: 'proj/{projectKey}:env/{environmentKey}:context-instance/{instanceId}',
  fields: ({ contexts, lastSeen }) => searchFields(contexts, lastSeen),
})

/** Returns the fields by which contexts are found: lists for exact comparison, and texts with one line per context. */
function searchFields(contexts: readonly SingleContext[], lastSeen: number): Fields {
  const attributes = contexts.flatMap(attributesOf)
  const names = contexts.flatMap(({ name }) => (typeof name === 'string' ? [name.slice(0, maxIndexedValue)] : []))
  return {
    lastSeen,
    kinds: contexts.map(({ kind }) => kind),
    keys: contexts.map(({ key }) => key),
    kindKeys: contexts.map(({ kind, key }) => `${kind}:${key}`),
    names,
    keyLines: linesOf(contexts.map(({ key }) => key)),
    nameLines: linesOf(names),
    attributes: [...new Set(attributes.flatMap(({ name, values }) => values.map((value) => `${name}=${value}`)))],
    attributeNames: [...new Set(attributes.map(({ name }) => name))],
  }
}

/**
 * Returns the texts, each after a line break, so that a search for a line break and a prefix finds texts that begin
 * with the prefix.
 */
function linesOf(texts: readonly string[]): string {
  return texts.map((text) => `\n${text}`).join('')
}

/**
 * Returns the attributes, sorted by name, so that an imported document gets the same fields. Its properties can have
 * another order.
 */
function attributesOf({ kind, ...attributes }: SingleContext) {
  return Object.entries(attributes)
    .filter(([name]) => name !== '_meta')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .slice(0, maxIndexedAttributes)
    .map(([name, value]) => ({
      name: `${kind}.${name}`,
      values: valuesOf(value).slice(0, maxIndexedAttributes),
    }))
}

function valuesOf(value: unknown): string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' || typeof each === 'boolean'
      ? [String(each).slice(0, maxIndexedValue)]
      : [],
  )
}
