import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/writer.ts'
import type { Context } from '../context.ts'
import { type Card, type GivenTo, operation } from '../operation.ts'
import type { Schema } from '../schema.ts'
import { type DocumentCard, headOf, type PathTo, type QueryOutput } from './card.ts'

type DeleteError = 'invalid_request' | 'not_found' | 'optimistic_locking_error'

interface DeleteDocument<T extends Versioned, A extends string, Query extends Schema | undefined> {
  /** What else the caller may say. */
  readonly query?: Query
  /** Whether things live under the document's address, which go with it. Default false. */
  readonly contents?: boolean
  /**
   * What else goes or changes with the document, and what has to be looked at for that. It is called when the removal
   * was noted, and may refuse: then nothing is removed.
   */
  also?(
    context: Context<Writer, Exclude<DeleteError, 'invalid_request'>>,
    document: T,
    keys: Keys<A>,
    query: QueryOutput<Query>,
  ): Promise<void> | void
}

/**
 * The card of an operation that deletes one document: 404 where there is none, 409 where `If-Match` names another
 * version, 204 when it is gone (D2, D11).
 */
export function deleteCard<
  const Id extends string,
  const Path extends string,
  T extends Versioned,
  A extends string,
  Query extends Schema | undefined = undefined,
>(
  collection: Documents<T, A>,
  card: DocumentCard<Id, PathTo<A, Path>> & DeleteDocument<T, A, Query>,
): Card<Id, GivenTo<Path, Query, undefined>, undefined> {
  const { contents = false, also } = card
  return operation({
    ...headOf(card),
    method: 'DELETE',
    success: { status: 204 },
    query: card.query,
    errors: [...('query' in card ? ['invalid_request'] : []), 'not_found', 'optimistic_locking_error'],
    async handle(context: Context<Writer, DeleteError>, { params, query }: { params: object; query: unknown }) {
      const keys = params as Keys<A>
      const document = (await context.tx.get(collection, keys)) ?? context.fail('not_found')
      context.requireRevision(document.version)
      // First, so that the change log speaks of it and not of what follows.
      context.tx.remove(collection, keys, document)
      await also?.(context, document, keys, query as QueryOutput<Query>)
      if (contents) context.tx.clear(collection.address.address(keys))
    },
  } as never) as never
}
