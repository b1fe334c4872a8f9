import type { AddressParams } from '../../rules/address.ts'
import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Action } from '../../vocabulary/policy-kinds.ts'
import type { Access } from '../access.ts'
import type { ReadContext } from '../context.ts'
import type { Params, PathParams } from '../operation.ts'
import type { Output, Schema } from '../schema.ts'

/**
 * The properties that are the same for all document operations: operations that get, list, create, change or delete
 * documents of one collection. A definition declares only what differs between operations; the functions in this folder
 * do the rest.
 */
export interface DocumentOperationDefinition<Id extends string, Path extends string> {
  readonly id: Id
  readonly summary: string
  readonly path: Path
  readonly beta?: 'declared' | 'tagged'
  readonly freeParams?: readonly PathParams<Path>[]
  readonly access: Access<Action>
}

/**
 * Copies the properties that every operation has. Properties with schemas are not read here. Schemas are made when an
 * operation is first called, because making all of them would take most of the time of importing this package.
 */
export function headOf<Id extends string, Path extends string, A>(
  definition: Omit<DocumentOperationDefinition<Id, Path>, 'access'> & { readonly access?: A },
) {
  const { id, summary, path, beta, freeParams } = definition
  return { id, summary, path, beta, freeParams }
}

/** A path with all parameters of the documents' address. */
export type PathTo<Address extends string, Path extends string> = Path &
  (AddressParams<Address> extends PathParams<Path> ? unknown : never)

/** A path with all parameters of the documents' address except the last one. */
export type PathAbove<Address extends string, Path extends string> = Path &
  (AllButLast<Address> extends PathParams<Path> ? unknown : never)

type AllButLast<Address extends string> = Address extends `${infer Head}:${infer Rest}`
  ? AddressParams<Head> | AllButLast<Rest>
  : never

/** The collection of a document's parent. */
export type Parent<T extends Versioned = never> = Documents<T, string>

/** Declares the parent of the documents. */
export interface Within<Path extends string, T extends Versioned = never> {
  /** Collection of the parent; the operation fails with `not_found` when the parent does not exist. */
  readonly within?: Parent<T>
  /** Returns the parent's keys. Default: the parameters of the path under their own names. */
  withinKeys?(params: Params<Path>): Readonly<Record<string, string>>
}

/**
 * Declares the response for one document. `serialize` must start its lookups synchronously, so that the lookups for all
 * documents of a list run together.
 */
export interface Serialization<T extends Versioned, A extends string, Response extends Schema, Query = undefined> {
  /** Schema of the response, for one document. */
  readonly response: Response
  serialize(
    context: ReadContext,
    document: T,
    keys: Keys<A>,
    query: Query,
  ): Output<Response> | Promise<Output<Response>>
}

/** The decoded query of an operation; `undefined` where it declares none. */
export type QueryOutput<Query> = Query extends Schema ? Output<Query> : undefined

/** Returns the keys of a document: the keys in the path, followed by the document's own key. */
export function keysUnder<T extends Versioned, A extends string>(
  collection: Documents<T, A>,
  params: Readonly<Record<string, string>>,
  key: string,
): Keys<A> {
  const last = collection.address.parameters.at(-1)
  return (last === undefined ? params : { ...params, [last]: key }) as Keys<A>
}

/** Returns the first of the actions of an access rule. */
export function firstAction(actions: Action | readonly Action[]): Action {
  return typeof actions === 'string' ? actions : (actions[0] as Action)
}
