import { nounOf } from '../../rules/policy/resource-kinds.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import { type JsonBody, jsonBody } from '../body.ts'
import type { Context } from '../context.ts'
import { type AnswerOf, type Card, type GivenTo, operation, type Params } from '../operation.ts'
import type { Output, Schema } from '../schema.ts'
import { type DocumentCard, headOf, keysUnder, type PathAbove, type Shown, type Within } from './card.ts'

type CreateError = 'invalid_request' | 'not_found' | 'optimistic_locking_error'

interface CreateDocument<Path extends string, T extends Versioned, Body extends Schema, P extends Versioned>
  extends Within<Path, P> {
  readonly body: Body
  /** The document that the body asks for; it may refuse. `parent` is the document of `within`. */
  make(
    context: Context<Writer, CreateError>,
    body: Output<Body>,
    params: Params<Path>,
    parent: P,
  ): Omit<T, 'version'> | Promise<Omit<T, 'version'>>
  /** What else follows from it, and what has to be looked at for that; it may refuse. */
  after?(context: Context<Writer, CreateError>, document: T, body: Output<Body>, params: Params<Path>): Promise<void>
  /** The document's key among its siblings. Default: its member `key`. */
  keyOf?(document: T): string
  /** Whether callers choose the key, so that it can be taken. Default: they do unless there is a `keyOf`. */
  readonly chosen?: boolean
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
  P extends Versioned = never,
>(
  collection: Documents<T, A>,
  card: DocumentCard<Id, PathAbove<A, Path>> & CreateDocument<Path, T, Body, P> & Shown<T, A, Answer>,
): Card<Id, GivenTo<Path, undefined, JsonBody<Body>>, AnswerOf<Answer>> {
  const { present, within, withinKeys = (params) => params, make, after, keyOf, chosen = keyOf === undefined } = card
  // Either its key is taken, or what it belongs to changes meanwhile.
  const collides = chosen || within !== undefined
  return operation({
    ...headOf(card),
    method: 'POST',
    body: jsonBody(card.body),
    success: { status: 201, body: card.answer },
    errors: ['invalid_request', ...(within ? ['not_found'] : []), ...(collides ? ['optimistic_locking_error'] : [])],
    async handle(context: Context<Writer, CreateError>, { params, body }: { params: Params<Path>; body: unknown }) {
      const place = withinKeys(params)
      const parent = within && ((await context.tx.get(within, place)) ?? context.fail('not_found'))
      const made = await make(context, body as Output<Body>, params, parent as P)
      const key = keyOf ? keyOf(made as T) : (made as unknown as { readonly key: string }).key
      const keys = keysUnder(collection, params, key)
      const document = insertNew(context, collection, keys, made)
      await after?.(context, document, body as Output<Body>, params)
      if (within && parent) context.tx.expect(within, place, parent)
      return present(context as never, document, keys, undefined)
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
  const article = /^[aeiou]/i.test(noun) ? 'an' : 'a'
  const inserted = context.tx.insert(collection, keys, document, () =>
    context.fail('optimistic_locking_error', {
      message: `There is ${article} ${noun} ${collection.address.key(keys)} already`,
    }),
  )
  context.revision(inserted.version)
  return inserted
}
