import type { Moment } from '../../rules/expiring-targets/expiring-targets.ts'
import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'
import type { Context, ReadContext } from '../context.ts'
import { type AnswerOf, type Card, type GivenTo, operation } from '../operation.ts'
import type { Schema } from '../schema.ts'
import { type DocumentCard, headOf, type PathTo, type QueryOutput, type Shown } from './card.ts'

type GetError = 'invalid_request' | 'not_found'

interface GetDocument<T extends Versioned, Query extends Schema | undefined> {
  /** What else may be asked of the answer, e.g. to expand it. */
  readonly query?: Query
  /** What tells its states apart where time changes what is shown. Default: its version. */
  revisionOf?(document: T, moment: Moment): string | number
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
  Query extends Schema | undefined = undefined,
>(
  collection: Documents<T, A>,
  card: DocumentCard<Id, PathTo<A, Path>> & GetDocument<T, Query> & Shown<T, A, Answer, QueryOutput<Query>>,
): Card<Id, GivenTo<Path, Query, undefined>, AnswerOf<Answer>> {
  const { present, revisionOf = ({ version }) => version } = card
  return operation({
    ...headOf(card),
    method: 'GET',
    query: card.query,
    success: { status: 200, body: card.answer },
    errors: 'query' in card ? ['invalid_request', 'not_found'] : ['not_found'],
    async handle(context: Context<Reader, GetError>, { params, query }: { params: object; query: unknown }) {
      const keys = params as Keys<A>
      const document = (await context.tx.get(collection, keys)) ?? context.fail('not_found')
      context.revision(revisionOf(document, context))
      return present(context as ReadContext, document, keys, query as QueryOutput<Query>)
    },
  } as never) as never
}
