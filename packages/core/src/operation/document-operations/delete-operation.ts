import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import type { Context } from '../context.ts'
import { type TypedOperation, typedOperation, type WriteInputOf } from '../operation.ts'
import type { Schema } from '../schema.ts'
import { type UndoRules, undoOf } from '../undo/undo-rules.ts'
import {
  type DocumentOperationDefinition,
  firstAction,
  headOf,
  type PathTo,
  type QueryOutput,
} from './document-operation.ts'

type DeleteError = 'invalid_request' | 'not_found' | 'optimistic_locking_error'

interface DeleteDocument<T extends Versioned, A extends string, Query extends Schema | undefined> {
  /** Query parameters. */
  readonly query?: Query
  /** True when documents under the document's address are deleted with it. Default false. */
  readonly contents?: boolean
  /**
   * Rules for undoing the creation of a document. Default: a revert deletes the document in the same way as this
   * operation.
   */
  readonly undo?: UndoRules<T, A>
  /**
   * Makes the changes that follow from the deletion, with the reads that they need. Called after the deletion was added
   * to the unit of work; when it fails, nothing is deleted.
   */
  also?(
    context: Context<Writer, Exclude<DeleteError, 'invalid_request'>>,
    document: T,
    keys: Keys<A>,
    query: QueryOutput<Query>,
  ): Promise<void> | void
}

/**
 * Declares an operation that deletes one document. It responds with 204 after the deletion, with 404 when the document
 * does not exist, and with 409 when `If-Match` names another version
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d2-success-status,
 * docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
 *
 * @param collection the document's collection; the path has every parameter of its address.
 */
export function deleteOperation<
  const Id extends string,
  const Path extends string,
  T extends Versioned,
  A extends string,
  Query extends Schema | undefined = undefined,
>(
  collection: Documents<T, A>,
  definition: DocumentOperationDefinition<Id, PathTo<A, Path>> & DeleteDocument<T, A, Query>,
): TypedOperation<Id, WriteInputOf<Path, Query, undefined>, undefined> {
  const { access, contents = false, also } = definition
  const remove = async (
    context: Context<Writer, DeleteError>,
    keys: Keys<A>,
    document: T,
    query: QueryOutput<Query>,
  ) => {
    // The change log takes the title of the entry from the first change of a unit of work, so the deletion comes first.
    context.tx.remove(collection, keys, document)
    await also?.(context, document, keys, query)
    if (contents) context.tx.clear(collection.address.address(keys))
  }
  const undo: UndoRules<T, A> = {
    async remove(context, keys, current, { bypassRequiredApproval }) {
      if ('action' in access) await context.demand(firstAction(access.action), collection, keys, current)
      // Cast: `detach` is the only query parameter of a deletion that the undo function needs.
      await remove(context, keys, current, { bypassRequiredApproval } as QueryOutput<Query>)
    },
    removesConsequences: true,
    ...definition.undo,
  }
  return typedOperation({
    ...headOf(definition),
    method: 'DELETE',
    success: { status: 204 },
    query: definition.query,
    errors: [...('query' in definition ? (['invalid_request'] as const) : []), 'not_found', 'optimistic_locking_error'],
    access,
    undo: [undoOf(collection, undo)],
    async handle(context: Context<Writer, DeleteError>, { params, query }: DeleteInput<A, Query>) {
      const document = (await context.tx.get(collection, params)) ?? context.fail('not_found')
      context.requireRevision(document.version)
      await remove(context, params, document, query)
    },
  })
}

interface DeleteInput<A extends string, Query> {
  readonly params: Keys<A>
  readonly query: QueryOutput<Query>
}
