import type { Documents, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import { type JsonBody, jsonBody } from '../body.ts'
import type { Context } from '../context.ts'
import { type Params, type ResponseOf, type TypedOperation, typedOperation, type WriteInputOf } from '../operation.ts'
import type { Output, Schema } from '../schema.ts'
import { type UndoRules, undoOf } from '../undo/undo-rules.ts'
import {
  type DocumentOperationDefinition,
  firstAction,
  headOf,
  keysUnder,
  type PathAbove,
  type Serialization,
  type Within,
} from './document-operation.ts'

type CreateError = 'invalid_request' | 'not_found' | 'optimistic_locking_error'

interface CreateDocument<
  Path extends string,
  T extends Versioned,
  A extends string,
  Body extends Schema,
  P extends Versioned,
> extends Within<Path, P> {
  readonly body: Body
  /** Schema of parameters that clients may send although they have no effect. Default: no parameters. */
  readonly query?: Schema
  /** Makes the document from the request body, or fails. `parent` is the document of `within`. */
  make(
    context: Context<Writer, CreateError>,
    body: Output<Body>,
    params: Params<Path>,
    parent: P,
  ): Omit<T, 'version'> | Promise<Omit<T, 'version'>>
  /** Makes the changes that follow from the creation, with the reads that they need. It may fail. */
  after?(context: Context<Writer, CreateError>, document: T, body: Output<Body>, params: Params<Path>): Promise<void>
  /** Returns the document's key among its siblings. Default: its property `key`. */
  keyOf?(document: Omit<T, 'version'>): string
  /**
   * Rules for undoing a deletion, which inserts the document again. Default: every caller with the right to create the
   * document may undo it.
   */
  readonly undo?: UndoRules<T, A>
  /** True when callers choose the key, so that it can be in use already. Default: `true` without `keyOf`. */
  readonly chosen?: boolean
}

/**
 * Declares an operation that creates one document. It responds with 201, or with 409 when the key is in use
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d2-success-status).
 *
 * @param collection the document's collection; the path has every parameter of its address but the last.
 */
export function createOperation<
  const Id extends string,
  const Path extends string,
  T extends Versioned,
  A extends string,
  Body extends Schema,
  Response extends Schema,
  P extends Versioned = never,
>(
  collection: Documents<T, A>,
  definition: DocumentOperationDefinition<Id, PathAbove<A, Path>> &
    CreateDocument<Path, T, A, Body, P> &
    Serialization<T, A, Response>,
): TypedOperation<Id, WriteInputOf<Path, undefined, JsonBody<Body>>, ResponseOf<Response>> {
  const { access, serialize, within, withinKeys = (params) => params, make, after, keyOf } = definition
  const { chosen = keyOf === undefined } = definition
  // The commit conflicts where the key is in use, or where the parent is changed concurrently.
  const conflicts = chosen || within !== undefined
  return typedOperation({
    ...headOf(definition),
    method: 'POST',
    query: definition.query,
    body: jsonBody(definition.body),
    success: { status: 201, body: definition.response },
    errors: [
      'invalid_request',
      ...(within ? (['not_found'] as const) : []),
      ...(conflicts ? (['optimistic_locking_error'] as const) : []),
    ],
    access,
    undo: [
      undoOf(collection, { ...('action' in access ? { create: firstAction(access.action) } : {}), ...definition.undo }),
    ],
    async handle(
      context: Context<Writer, CreateError>,
      { params, body }: { params: Params<Path>; body: Output<Body> },
    ) {
      const parentKeys = withinKeys(params)
      const parent = within && ((await context.tx.get(within, parentKeys)) ?? context.fail('not_found'))
      const created = await make(context, body, params, parent as P)
      const keys = keysUnder(collection, params, keyOf ? keyOf(created) : keyIn(created))
      const document = insertNew(context, collection, keys, created)
      await after?.(context, document, body, params)
      if (within && parent) context.tx.expect(within, parentKeys, parent)
      return serialize(context, document, keys, undefined)
    },
  })
}

/** Returns the property `key`, which documents have when their operation has no `keyOf`. */
function keyIn(document: object): string {
  return (document as { readonly key: string }).key
}

/**
 * Inserts a document and sets the ETag to its version. Fails with 409 `optimistic_locking_error` when its key is in
 * use.
 */
export function insertNew<T extends Versioned, A extends string>(
  context: Context<Writer, 'optimistic_locking_error'>,
  collection: Documents<T, A>,
  keys: Parameters<typeof collection.id>[0],
  document: Omit<T, 'version'>,
): T {
  const noun = collection.noun
  const article = /^(?:[aeiou]|SDK\b)/i.test(noun) ? 'an' : 'a'
  const inserted = context.tx.insert(collection, keys, document, () =>
    context.fail('optimistic_locking_error', {
      message: `There is ${article} ${noun} ${collection.address.key(keys)} already`,
    }),
  )
  context.setRevision(inserted.version)
  return inserted
}
