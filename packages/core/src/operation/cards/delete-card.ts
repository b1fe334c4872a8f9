import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Writer } from '../../storage/unit-of-work.ts'
import type { Context } from '../context.ts'
import { type OperationCard, operation } from '../operation.ts'
import type { DocumentCard, PathTo } from './card.ts'

type DeleteError = 'not_found' | 'optimistic_locking_error'

interface DeleteDocument<T extends Versioned, A extends string> {
  /** Whether things live under the document's address, which go with it. Default false. */
  readonly contents?: boolean
  /**
   * What else goes or changes with the document, and what has to be looked at for that. It is called when the removal
   * was noted, and may refuse: then nothing is removed.
   */
  also?(context: Context<Writer, DeleteError>, document: T, keys: Keys<A>): Promise<void> | void
}

/**
 * The card of an operation that deletes one document: 404 where there is none, 409 where `If-Match` names another
 * version, 204 when it is gone (D2, D11).
 */
export function deleteCard<const Id extends string, const Path extends string, T extends Versioned, A extends string>(
  collection: Documents<T, A>,
  { path, contents = false, also, ...card }: DocumentCard<Id, PathTo<A, Path>> & DeleteDocument<T, A>,
): OperationCard<Id, 'DELETE', Path, undefined, undefined, undefined, DeleteError> {
  return operation({
    ...card,
    path: path as Path,
    method: 'DELETE',
    success: { status: 204 },
    errors: ['not_found', 'optimistic_locking_error'],
    async handle(context, { params }) {
      const keys = params as never as Keys<A>
      const document = (await context.tx.get(collection, keys)) ?? context.fail('not_found')
      context.requireRevision(document.version)
      // First, so that the change log speaks of it and not of what follows.
      context.tx.remove(collection, keys, document)
      await also?.(context, document, keys)
      if (contents) context.tx.clear(collection.address.address(keys))
    },
  }) as never
}
