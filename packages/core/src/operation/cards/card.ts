import type { AddressParams } from '../../rules/address.ts'
import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { ReadContext } from '../context.ts'
import type { Access, Params, PathParams } from '../operation.ts'
import type { Output, Schema } from '../schema.ts'

/**
 * What every card says whose operation does one of the things that are done to documents of any collection: fetch,
 * list, create, change, delete. Such a card declares what is its own; the kernel does what is the same for all.
 */
export interface DocumentCard<Id extends string, Path extends string> {
  readonly id: Id
  readonly summary: string
  readonly path: Path
  readonly beta?: 'declared' | 'tagged'
  readonly freeParams?: readonly PathParams<Path>[]
  readonly access: Access
}

/**
 * What every card says, taken from one that says more. Members with schemas are left where they are: they are looked at
 * when an operation is called, and making all of them would be most of what importing this package takes.
 */
export function headOf<const Id extends string, const Path extends string>(
  card: Omit<DocumentCard<Id, Path>, 'access'> & Partial<Pick<DocumentCard<Id, Path>, 'access'>>,
): Omit<DocumentCard<Id, Path>, 'access'> & Partial<Pick<DocumentCard<Id, Path>, 'access'>> {
  const { id, summary, path, beta, freeParams, access } = card
  return { id, summary, path, beta, freeParams, access }
}

/** A path that has all the parameters of the address at which documents live. */
export type PathTo<Address extends string, Path extends string> = Path &
  (AddressParams<Address> extends PathParams<Path> ? unknown : never)

/** A path to where documents live, with all the parameters of their address but the last. */
export type PathAbove<Address extends string, Path extends string> = Path &
  (AllButLast<Address> extends PathParams<Path> ? unknown : never)

type AllButLast<Address extends string> = Address extends `${infer Head}:${infer Rest}`
  ? AddressParams<Head> | AllButLast<Rest>
  : never

/** A collection to which the parent of a document belongs. */
export type Parent<T extends Versioned = never> = Documents<T, string>

/** What documents belong to. */
export interface Within<Path extends string, T extends Versioned = never> {
  /** 404 where it is not there. */
  readonly within?: Parent<T>
  /** Its keys. Default: the parameters of the path by their own names. */
  withinKeys?(params: Params<Path>): Readonly<Record<string, string>>
}

/** How a document is shown; of many at once, the look-ups of all should be asked in one turn. */
export interface Shown<T extends Versioned, A extends string, Answer extends Schema, Query = undefined> {
  /** What the answer looks like, for one document. */
  readonly answer: Answer
  present(context: ReadContext, document: T, keys: Keys<A>, query: Query): Output<Answer> | Promise<Output<Answer>>
}

/** What a card's query comes to; nothing where it has none. */
export type QueryOutput<Query> = Query extends Schema ? Output<Query> : undefined

/** The keys of a document that was found under `params` by its own key. */
export function keysUnder<T extends Versioned, A extends string>(
  collection: Documents<T, A>,
  params: Readonly<Record<string, string>>,
  key: string,
): Keys<A> {
  const last = collection.address.parameters.at(-1)
  return (last === undefined ? params : { ...params, [last]: key }) as Keys<A>
}
