import { nounOf } from '../../rules/policy/resource-kinds.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/unit-of-work.ts'
import { type JsonBody, jsonBody } from '../body.ts'
import type { Context } from '../context.ts'
import { type OperationCard, operation, type Params } from '../operation.ts'
import type { Output, Schema } from '../schema.ts'
import { type DocumentCard, keysUnder, type Parent, type PathAbove, type Shown } from './card.ts'

type CreateError = 'invalid_request' | 'not_found' | 'optimistic_locking_error'

interface CreateDocument<Path extends string, T extends Versioned, Body extends Schema, Within extends Versioned> {
  readonly body: Body
  /** What the document belongs to: 404 where it is not there, and it must still be there when the document is stored. */
  readonly within?: Parent<Within>
  /** The document that the body asks for; it may refuse. `parent` is the document of `within`. */
  make(
    context: Context<Writer, CreateError>,
    body: Output<Body>,
    params: Params<Path>,
    parent: Within,
  ): Omit<T, 'version'> | Promise<Omit<T, 'version'>>
  /**
   * The document's key among its siblings. Default: its member `key`, which a caller chooses, so it can be taken;
   * what storage finds by an id that the engine made cannot.
   */
  keyOf?(document: T): string
}

/**
 * The card of an operation that creates one document: 201, and 409 where its key is taken (D2).
 *
 * @param collection where the document will be; the path has every parameter of its address but the last.
 */
export function createCard<
  const Id extends string,
  const Path extends string,
  T extends Versioned,
  A extends string,
  Body extends Schema,
  Answer extends Schema,
  Within extends Versioned = never,
>(
  collection: Documents<T, A>,
  {
    path,
    answer,
    present,
    body: schema,
    within,
    make,
    keyOf,
    ...card
  }: DocumentCard<Id, PathAbove<A, Path>> & CreateDocument<Path, T, Body, Within> & Shown<T, A, Answer>,
): OperationCard<Id, 'POST', Path, undefined, JsonBody<Body>, Answer, CreateError> {
  return operation({
    ...card,
    path,
    method: 'POST',
    body: jsonBody(schema),
    success: { status: 201, body: answer },
    errors: ['invalid_request', ...(within ? ['not_found'] : []), ...(keyOf ? [] : ['optimistic_locking_error'])],
    async handle(context: Context<Writer, CreateError>, { params, body }: { params: Params<Path>; body: unknown }) {
      const { tx } = context
      const place: Readonly<Record<string, string>> = params
      const parent = within && ((await tx.get(within, place)) ?? context.fail('not_found'))
      if (within && parent) tx.expect(within, place, parent)
      const made = await make(context, body as Output<Body>, params, parent as Within)
      const key = keyOf ? keyOf(made as T) : (made as unknown as { readonly key: string }).key
      const keys = keysUnder(collection, params, key)
      const document = insertNew(context, collection, keys, made)
      return present(context as never, document, keys)
    },
  } as never) as never
}

/** Inserts a document whose key must be free, or ends with 409 `optimistic_locking_error`; its version is the ETag. */
export function insertNew<T extends Versioned, A extends string>(
  context: Context<Writer, 'optimistic_locking_error'>,
  collection: Documents<T, A>,
  keys: Parameters<typeof collection.id>[0],
  document: Omit<T, 'version'>,
): T {
  const noun = nounOf(collection.address.kinds.at(-1) as string)
  const inserted = context.tx.insert(collection, keys, document, () =>
    context.fail('optimistic_locking_error', { message: `There is a ${noun} ${collection.address.key(keys)} already` }),
  )
  context.revision(inserted.version)
  return inserted
}
