import { type AddressParams, addressTemplate, type Resource } from '../rules/address.ts'
import type { Sentences } from '../rules/sentences/sentence.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'
import type { DocumentId, Fields, QueueId, SeriesId, SetId } from './port.ts'

/** The version that the storage counts, stored in the body so that a handler can read it. */
export interface Versioned {
  readonly version: number
}

/** Values for the parameters of a collection's address, one for each `{name}` in it. */
export type Keys<Address extends string> = Readonly<Record<AddressParams<Address>, string>>

/** A document and the one that replaces it. */
export interface Replacement<T, K> {
  readonly keys: K
  readonly before: T
  readonly after: T
}

/** Attributes of a stored resource that policies can test, in addition to its key. */
export interface Attributes {
  readonly tags?: readonly string[]
  readonly properties?: Readonly<Record<string, string | number | boolean>>
  readonly views?: readonly string[]
}

/**
 * The action that a caller needs to change each property of a document
 * (docs/decisions/0002-decide-access-by-policy.md#d17-actions). The type requires every property, so that no new
 * property can be missed; `null` marks internal state that follows from other changes.
 */
export type ChangeActions<T> = { readonly [Property in Exclude<keyof T, 'version'>]-?: Action | null | PartActions<T> }

/** The actions for a property whose parts need different actions. */
export interface PartActions<T> {
  /** All actions that changes of the property can need. */
  readonly actions: readonly Action[]
  /** Returns the actions that a change of the property needs. */
  of(before: T, after: T): readonly Action[]
}

/** The part of the response format that documents depend on. */
export interface ShownFormat {
  /** Returns a time (integer ms) as responses show it. */
  time(ms: number): unknown
}

/**
 * The form in which responses show the properties of a document. Default: as they are stored.
 *
 * A text is another name of the property; null means that no response shows it; a function returns the properties of
 * the response that are made from a value.
 */
export type ShownProperties<T> = {
  readonly [Property in keyof T]?:
    | string
    | null
    | ((value: NonNullable<T[Property]>, format: ShownFormat) => Readonly<Record<string, unknown>>)
}

/** The form in which responses show a property of any document, see {@link ShownProperties}. */
export type ShownForm = string | null | ((value: unknown, format: ShownFormat) => Readonly<Record<string, unknown>>)

/** Declares that responses show a time of a document, integer ms, under this name. */
export function shownTime(name: string): (ms: number, format: ShownFormat) => Readonly<Record<string, unknown>> {
  return (ms, format) => ({ [name]: format.time(ms) })
}

/** A collection whose documents have parts in another collection. */
export type PartOf = Pick<StoredCollection, 'name' | 'id' | 'address' | 'sentences'>

/** The way documents are restored from a back-up without secrets. */
export type WithoutSecrets<T, Restored = T> =
  /** The documents have no use without secrets, and are not restored. */
  | 'left out'
  /** The documents are restored with new secrets. */
  | { renewed(rest: T, lostProperties: readonly string[], fresh: SecretMaker): Restored }
  /** The documents are restored without secrets. */
  | { missing(rest: T): Restored }

export interface SecretMaker {
  /** Returns random bytes in hex. */
  randomHex(bytes: number): string
}

export interface DocumentsDefinition<T extends Versioned, Address extends string> {
  /** Name in storage; never changed after its release. */
  readonly name: string
  /**
   * Name of one document of the collection in messages, e.g. `AI tool`. Default: the kind of the address, e.g. `release
   * pipeline`.
   */
  readonly noun?: string
  /**
   * Address of the documents, e.g. `proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}`
   * (docs/decisions/0002-decide-access-by-policy.md#d14-resource-specifiers).
   */
  readonly address: Address
  /** Returns the narrow row of a document. Lists filter and sort by narrow rows, and make list items from them. */
  readonly fields?: (document: T) => Fields
  /**
   * Returns the time at which a document was created, integer ms, for documents whose creation the change log does not
   * list. With this time, a past engine (`engine.at`) can leave out documents that did not exist yet.
   */
  readonly createdAt?: (document: T) => number
  /** Returns the attributes that policies can test. */
  readonly attributes?: (document: T) => Attributes
  /**
   * The collection of links to views. Under the address of a document, it contains one link for each view of the
   * document, with the key of the view.
   */
  readonly views?: Pick<Documents<Versioned>, 'name'>
  /**
   * The address of the resource in policies, for a document that is a part of another resource. For example, links of a
   * flag are changed with a right to the flag. All of its parameters are also parameters of `address`.
   */
  readonly policyAddress?: string
  /** Returns the resource in policies, if it differs from the document's address. */
  readonly resource?: (document: T, keys: Keys<Address>) => Resource
  /**
   * Returns the JSON Pointer of the document in a response, for a document that is a part of the response for another
   * resource, e.g. `/environments/production` for the configuration of a flag. Default: '', the whole response.
   */
  readonly shownAt?: (keys: Keys<Address>) => string
  /** The properties that responses show under another name or in another form than the document. */
  readonly shown?: ShownProperties<T>
  /**
   * The collection whose documents contain these documents as parts. The keys of a part include the keys of the whole.
   * Sentences of the change log name the whole.
   */
  readonly partOf?: PartOf
  /** Sentences of the change log about the documents. Default: derived from the names and values of properties. */
  readonly sentences?: Sentences<T>
  /** Properties that must not be logged. */
  readonly secrets?: readonly (keyof T)[]
  /** Required when documents have secret properties, or are secret as a whole. */
  readonly withoutSecrets?: WithoutSecrets<T>
  /** Actions by which callers change a document; undefined when no caller changes the documents directly. */
  readonly changes?: ChangeActions<T>
  /**
   * True when the change log entry of a deletion contains documents of this collection that were deleted with another
   * document, so that a revert restores them. Default: true for documents that callers change, except those that are
   * useless without their secrets.
   */
  readonly recorded?: boolean
  /**
   * Properties among `changes` that the engine computes, such as counts of a set that is stored outside the document.
   * Concurrent changes of them do not conflict.
   */
  readonly computed?: readonly (keyof T)[]
}

/**
 * A collection of documents. Functions that take a document are declared as methods, so that every collection is a
 * {@link StoredCollection}.
 */
export interface Documents<T extends Versioned, Address extends string = string> {
  readonly name: string
  /** Name of one document of the collection in messages, e.g. `AI tool`. */
  readonly noun: string
  readonly address: ReturnType<typeof addressTemplate<Address>>
  /** The address with its parameters, as declared. */
  readonly template: Address
  /** The address in policies, with its parameters. */
  readonly policyTemplate: string
  fields(document: T): Fields
  /**
   * Returns the time at which a document was created. Undefined when the change log lists the creation of the
   * documents, or when the time of their creation is not known.
   */
  createdAt?(document: T): number
  /** Returns the attributes that policies can test. Undefined when policies can test only the key. */
  attributes?(document: T): Attributes
  readonly views: Pick<Documents<Versioned>, 'name'> | undefined
  readonly changes: ChangeActions<T> | undefined
  readonly recorded: boolean
  readonly computed: readonly PropertyKey[]
  /** Returns the JSON Pointer of the document in the response that shows it; '' when it is the whole response. */
  shownAt(keys: Keys<Address>): string
  /** The form in which responses show properties, by their names. */
  readonly shown: Readonly<Record<string, ShownForm>>
  readonly partOf: PartOf | undefined
  readonly sentences: Sentences<Versioned>
  readonly secrets: readonly PropertyKey[]
  readonly withoutSecrets: WithoutSecrets<T, Versioned> | undefined
  /** Distinct actions of `changes`: a caller without any of these actions cannot change a document. */
  readonly changeActions: readonly Action[]
  id(keys: Keys<Address>): DocumentId
  /** Returns the resource in policies of the document with these keys. */
  resource(keys: Keys<Address>, document?: T): Resource
}

/** Any collection, for code that treats all documents alike. */
export type StoredCollection = Documents<Versioned>

const noFields = (): Fields => ({})
const wholeResponse = (): string => ''

/** The collections that callers can change, by name. Declaring a collection adds it. */
const loggedCollections = new Map<string, StoredCollection>()

/**
 * Returns the collection whose documents a change log entry names; undefined for one that this process has not
 * declared, because the engine was made without its operations.
 */
export function loggedCollection(name: string): StoredCollection | undefined {
  return loggedCollections.get(name)
}

/**
 * Declares a collection of documents.
 *
 * It is called twice, so that the document's type is explicit and the address's is inferred: `documents<Segment>()({
 * name: 'segment', address: 'proj/{projectKey}:…' })`.
 */
export function documents<T extends Versioned>() {
  return <const Address extends string>(definition: DocumentsDefinition<T, Address>): Documents<T, Address> => {
    const address = addressTemplate(definition.address)
    const policyTemplate = definition.policyAddress ?? definition.address
    const policyAddress = policyTemplate === definition.address ? address : addressTemplate(policyTemplate)
    const actions = Object.values<Action | null | PartActions<T>>(definition.changes ?? {}).flatMap((action) =>
      action !== null && typeof action === 'object' ? action.actions : (action ?? []),
    )
    const collection: Documents<T, Address> = {
      name: definition.name,
      noun: definition.noun ?? (address.kinds.at(-1) ?? '').replaceAll('-', ' '),
      address,
      template: definition.address,
      policyTemplate,
      fields: definition.fields ?? noFields,
      createdAt: definition.createdAt,
      attributes: definition.attributes,
      views: definition.views,
      changes: definition.changes,
      recorded: definition.recorded ?? (definition.changes !== undefined && definition.withoutSecrets !== 'left out'),
      computed: definition.computed ?? [],
      shownAt: definition.shownAt ?? wholeResponse,
      // Casts: the functions receive the documents of this collection and the values of their properties only.
      shown: (definition.shown ?? {}) as Readonly<Record<string, ShownForm>>,
      partOf: definition.partOf,
      sentences: (definition.sentences ?? {}) as Sentences<Versioned>,
      secrets: definition.secrets ?? [],
      withoutSecrets: definition.withoutSecrets,
      changeActions: [...new Set(actions)],
      id: (keys) => ({ collection: definition.name, scope: address.scope(keys), key: address.key(keys) }),
      resource: (keys, document) =>
        document && definition.resource ? definition.resource(document, keys) : policyAddress.resource(keys),
    }
    if (definition.changes) loggedCollections.set(definition.name, collection)
    return collection
  }
}

/**
 * Returns the body of a stored document with the type that its collection declares. The storage does not know the types
 * of documents; every write passes a typed collection, so the cast is safe.
 */
export function bodyOf<T extends Versioned, A extends string>(
  _collection: Documents<T, A>,
  document: { readonly body: unknown } | undefined,
): T | undefined {
  return document?.body as T | undefined
}

/**
 * Returns a document with its version. The cast is needed because the compiler cannot prove that `T` has only these
 * properties.
 */
export function withVersion<T extends Versioned>(document: Omit<T, 'version'>, version: number): T {
  return { ...document, version } as T
}

export interface KeySets<Address extends string = string> {
  id(keys: Keys<Address>): SetId
}

/**
 * Declares sets of strings, one at each address.
 *
 * @param definition `name` of the sets and `address` of the resource that has one.
 */
export function keySets<const Address extends string>(definition: {
  name: string
  address: Address
}): KeySets<Address> {
  const address = addressTemplate(definition.address)
  return { id: (keys) => ({ name: definition.name, scope: address.address(keys) }) }
}

export interface Series<Address extends string = string> {
  id(keys: Keys<Address>): SeriesId
}

/**
 * Declares series of samples, one at each address.
 *
 * @param definition `name` of the series and `address` of the resource that has one.
 */
export function series<const Address extends string>(definition: { name: string; address: Address }): Series<Address> {
  const address = addressTemplate(definition.address)
  return { id: (keys) => ({ name: definition.name, scope: address.address(keys) }) }
}

export interface Queue<Address extends string = string> {
  readonly name: string
  readonly address: ReturnType<typeof addressTemplate<Address>>
  id(keys: Keys<Address>): QueueId
}

/**
 * Declares queues of tasks, one at each address; a worker leases tasks of all addresses together.
 *
 * @param definition `name` of the queue and `address` of the resource that the tasks are about.
 */
export function queue<const Address extends string>(definition: { name: string; address: Address }): Queue<Address> {
  const address = addressTemplate(definition.address)
  return { name: definition.name, address, id: (keys) => ({ name: definition.name, scope: address.address(keys) }) }
}
