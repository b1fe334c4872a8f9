import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import type { ShownResource } from '../access.ts'
import { type JsonBody, jsonBody } from '../body.ts'
import type { Context } from '../context.ts'
import { type ResponseOf, type TypedOperation, typedOperation, type WriteInputOf } from '../operation.ts'
import type { Output, Schema } from '../schema.ts'
import { type UndoRules, undoOf } from '../undo/undo-rules.ts'
import {
  type DocumentOperationDefinition,
  headOf,
  type PathTo,
  type QueryOutput,
  type Serialization,
} from './document-operation.ts'

type UpdateError = 'invalid_request' | 'not_found' | 'optimistic_locking_error'

interface UpdateDocument<
  M extends 'PATCH' | 'PUT',
  T extends Versioned,
  A extends string,
  Body extends Schema,
  Query extends Schema | undefined,
> {
  /** `PATCH` with some properties of the document, `PUT` with all properties that a caller can set. */
  readonly method: M
  readonly body: Body
  /** Query parameters. */
  readonly query?: Query
  /** The document's address in policies. Default: its address in storage. */
  readonly resource?: string
  /** The right to see the response (docs/decisions/0002-decide-access-by-policy.md#d17-actions). */
  readonly shows: ShownResource
  /** True when even a body without a change makes a new version of the document. Default false. */
  readonly countsEqual?: boolean
  /** Rules for undoing changes. Default: an earlier state replaces the document. */
  readonly undo?: UndoRules<T, A>
  /** Starts the reads that `change` needs together with the read of the document. */
  startReads?(context: Context<Writer, UpdateError>, body: Output<Body>, keys: Keys<A>): Promise<unknown>
  /** Returns the document to store. Default: the document with the properties of the body that are defined. */
  change?(
    context: Context<Writer, UpdateError>,
    before: T,
    body: Output<Body>,
    keys: Keys<A>,
    query: QueryOutput<Query>,
  ): Promise<T> | T
}

/**
 * Declares an operation that changes one document by a plain object: its properties replace the stored ones. The caller
 * needs the action of each property that changes (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
 *
 * @param collection the document's collection; the path has every parameter of its address.
 */
export function updateOperation<
  const Id extends string,
  M extends 'PATCH' | 'PUT',
  const Path extends string,
  T extends Versioned,
  A extends string,
  Body extends Schema,
  Response extends Schema,
  Query extends Schema | undefined = undefined,
>(
  collection: Documents<T, A>,
  definition: Omit<DocumentOperationDefinition<Id, PathTo<A, Path>>, 'access'> &
    UpdateDocument<M, T, A, Body, Query> &
    Serialization<T, A, Response>,
): TypedOperation<Id, WriteInputOf<Path, Query, JsonBody<Body>>, ResponseOf<Response>> {
  const { method, serialize, resource = collection.policyTemplate, shows, startReads: ahead } = definition
  const { change = (_, before, body) => withProperties(before, body) } = definition
  return typedOperation({
    ...headOf(definition),
    method,
    query: definition.query,
    body: jsonBody(definition.body),
    success: { status: 200, body: definition.response },
    errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
    access: { action: collection.changeActions, resource, shows },
    undo: [undoOf(collection, definition.undo ?? {})],
    async handle(context: Context<Writer, UpdateError>, { params, query, body }: UpdateInput<A, Query, Body>) {
      const reads = [context.tx.get(collection, params), ahead?.(context, body, params)] as const
      const before = (await Promise.all(reads))[0] ?? context.fail('not_found')
      context.requireRevision(before.version)
      const changed = await change(context, before, body, params, query)
      const replaced = context.tx.replace(collection, params, before, changed)
      const isEqual = replaced === before
      const after = isEqual && definition.countsEqual ? context.tx.touch(collection, params, before) : replaced
      context.setRevision(after.version)
      return serialize(context, after, params, undefined)
    },
  })
}

interface UpdateInput<A extends string, Query, Body extends Schema> {
  readonly params: Keys<A>
  readonly query: QueryOutput<Query>
  readonly body: Output<Body>
}

/**
 * Returns a document in which the defined properties of a body replace the properties of the document. `comment`
 * describes the change, and is not part of the document.
 */
export function withProperties<T extends Versioned>(before: T, body: unknown): T {
  const { comment, ...properties } = body as Readonly<Record<string, unknown>>
  const defined = Object.entries(properties).filter(([, value]) => value !== undefined)
  return { ...before, ...Object.fromEntries(defined) }
}
