import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Reader } from '../../storage/unit-of-work.ts'
import type { Context, ReadContext } from '../context.ts'
import { type OperationCard, operation } from '../operation.ts'
import type { Schema } from '../schema.ts'
import type { DocumentCard, PathTo, Shown } from './card.ts'

interface GetDocument<T extends Versioned> {
  /** What tells its states apart where time changes what is shown. Default: its version. */
  revisionOf?(document: T, now: number): string | number
}

/**
 * The card of an operation that fetches one document: 404 where there is none, its version as ETag (D11).
 *
 * @param collection where the document is; the path has every parameter of its address.
 */
export function getCard<
  const Id extends string,
  const Path extends string,
  T extends Versioned,
  A extends string,
  Answer extends Schema,
>(
  collection: Documents<T, A>,
  {
    path,
    answer,
    present,
    revisionOf = ({ version }) => version,
    ...card
  }: DocumentCard<Id, PathTo<A, Path>> & GetDocument<T> & Shown<T, A, Answer>,
): OperationCard<Id, 'GET', Path, undefined, undefined, Answer, 'not_found'> {
  return operation({
    ...card,
    path: path as Path,
    method: 'GET',
    success: { status: 200, body: answer },
    errors: ['not_found'],
    async handle(context: Context<Reader, 'not_found'>, { params }: { params: object }) {
      const keys = params as Keys<A>
      const document = (await context.tx.get(collection, keys)) ?? context.fail('not_found')
      context.revision(revisionOf(document, context.now))
      return present(context as ReadContext, document, keys)
    },
  } as never) as never
}
