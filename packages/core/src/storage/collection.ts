import { type AddressParams, addressTemplate, type Resource } from '../rules/address.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'
import type { DocumentId, Fields, QueueId, SeriesId, SetId } from './port.ts'

/** What every stored document has: the version that storage counts, kept inside the body so that a handler sees it. */
export interface Versioned {
  readonly version: number
}

/** The values for a collection's address, one for each `{name}` in it. */
export type Keys<Address extends string> = Readonly<Record<AddressParams<Address>, string>>

/** What a policy may ask about a stored thing besides its key. */
export interface Attributes {
  readonly tags?: readonly string[]
  readonly properties?: Readonly<Record<string, string | number | boolean>>
  readonly views?: readonly string[]
}

/**
 * Which action a caller needs to change each member of a document (D17). Every member is named, so that a new one
 * cannot be forgotten; `null` marks book-keeping that follows from other changes.
 */
export type ChangeActions<T> = { readonly [Member in Exclude<keyof T, 'version'>]-?: Action | null | PartActions<T> }

/** The actions of a member whose parts are changed by different ones. */
export interface PartActions<T> {
  /** All that there are. */
  readonly actions: readonly Action[]
  /** Those that a change of the member needs. */
  of(before: T, after: T): readonly Action[]
}

/** What becomes of documents in a back-up that holds no secrets. */
export type WithoutSecrets<T, Restored = T> =
  /** They are nothing without them, and do not come back. */
  | 'left out'
  /** They come back with new ones in place of those that they had. */
  | { renewed(rest: T, lost: readonly string[], fresh: SecretMaker): Restored }
  /** They come back without. */
  | { missing(rest: T): Restored }

export interface SecretMaker {
  /** Fresh random bytes in hex. */
  randomHex(bytes: number): string
}

export interface DocumentsDefinition<T extends Versioned, Address extends string> {
  /** Name in storage; never changed once released. */
  readonly name: string
  /** What people call one of its documents, e.g. `AI tool`. Default: the kind of its address, e.g. `release pipeline`. */
  readonly noun?: string
  /** Where its documents live, e.g. `proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}` (D14). */
  readonly address: Address
  /** The narrow row that lists filter, sort and show. */
  readonly fields?: (document: T) => Fields
  /** What policies may ask about it. */
  readonly attributes?: (document: T) => Attributes
  /** The collection whose documents, at this one's address, are keyed by the views that it is linked to. */
  readonly views?: Pick<Documents<Versioned>, 'name'>
  /**
   * The address that policies are asked about, where it is not the document's own but that of what it is a part of: a
   * flag's links are changed by whoever may change those of the flag. It has no parameter that `address` does not have.
   */
  readonly policyAddress?: string
  /** What policies call it, where that is not its address in storage. */
  readonly resource?: (document: T, keys: Keys<Address>) => Resource
  /** Members that no log may hold. */
  readonly secrets?: readonly (keyof T)[]
  /** Needed where there are secrets, or where the documents as a whole are some. */
  readonly withoutSecrets?: WithoutSecrets<T>
  /** Actions by which callers change it; left out for documents that no caller changes directly. */
  readonly changes?: ChangeActions<T>
}

/**
 * A collection of documents. Functions that take a document are declared as methods, so that every collection is a
 * {@link StoredCollection}.
 */
export interface Documents<T extends Versioned, Address extends string = string> {
  readonly name: string
  /** What people call one of its documents, e.g. `AI tool`. */
  readonly noun: string
  readonly address: ReturnType<typeof addressTemplate<Address>>
  /** The address as it was written, with its parameters. */
  readonly template: Address
  /** The address that policies are asked about, with its parameters. */
  readonly policyTemplate: string
  fields(document: T): Fields
  /** `undefined` where policies can ask for nothing but the key. */
  attributes?(document: T): Attributes
  readonly views: Pick<Documents<Versioned>, 'name'> | undefined
  readonly changes: ChangeActions<T> | undefined
  readonly secrets: readonly PropertyKey[]
  readonly withoutSecrets: WithoutSecrets<T, Versioned> | undefined
  /** Distinct actions of `changes`: whoever has none of them cannot change anything here. */
  readonly changeActions: readonly Action[]
  id(keys: Keys<Address>): DocumentId
  /** What policies call the document at these keys. */
  resource(keys: Keys<Address>, document?: T): Resource
}

/** Any collection, for code that treats all documents alike. */
export type StoredCollection = Documents<Versioned>

const noFields = (): Fields => ({})

/**
 * Declares a collection of documents.
 *
 * Called twice so that the document's type is given and the address's is inferred:
 * `documents<Segment>()({ name: 'segment', address: 'proj/{projectKey}:…' })`.
 */
export function documents<T extends Versioned>() {
  return <const Address extends string>(definition: DocumentsDefinition<T, Address>): Documents<T, Address> => {
    const address = addressTemplate(definition.address)
    const policyTemplate = definition.policyAddress ?? definition.address
    const asked = policyTemplate === definition.address ? address : addressTemplate(policyTemplate)
    const actions = Object.values<Action | null | PartActions<T>>(definition.changes ?? {}).flatMap((action) =>
      action !== null && typeof action === 'object' ? action.actions : (action ?? []),
    )
    return {
      name: definition.name,
      noun: definition.noun ?? (address.kinds.at(-1) ?? '').replaceAll('-', ' '),
      address,
      template: definition.address,
      policyTemplate,
      fields: definition.fields ?? noFields,
      attributes: definition.attributes,
      views: definition.views,
      changes: definition.changes,
      secrets: definition.secrets ?? [],
      withoutSecrets: definition.withoutSecrets,
      changeActions: [...new Set(actions)],
      id: (keys) => ({ collection: definition.name, scope: address.scope(keys), key: address.key(keys) }),
      resource: (keys, document) =>
        document && definition.resource ? definition.resource(document, keys) : asked.resource(keys),
    }
  }
}

export interface Members<Address extends string = string> {
  id(keys: Keys<Address>): SetId
}

/**
 * Declares sets of strings, one at each address.
 *
 * @param definition `name` of the set and `address` of what owns it.
 */
export function members<const Address extends string>(definition: {
  name: string
  address: Address
}): Members<Address> {
  const address = addressTemplate(definition.address)
  return { id: (keys) => ({ name: definition.name, scope: address.address(keys) }) }
}

export interface Series<Address extends string = string> {
  id(keys: Keys<Address>): SeriesId
}

/**
 * Declares series of samples, one at each address.
 *
 * @param definition `name` of the series and `address` of what owns it.
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
 * Declares queues of tasks, one at each address; tasks of all addresses are taken together.
 *
 * @param definition `name` of the queue and `address` of what the tasks are about.
 */
export function queue<const Address extends string>(definition: { name: string; address: Address }): Queue<Address> {
  const address = addressTemplate(definition.address)
  return { name: definition.name, address, id: (keys) => ({ name: definition.name, scope: address.address(keys) }) }
}
