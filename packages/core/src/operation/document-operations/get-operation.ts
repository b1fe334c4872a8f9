import type { ExpiryClock } from '../../rules/expiring-targets/expiring-targets.ts'
import type { Documents, Keys, Versioned } from '../../storage/collection.ts'
import type { Reader } from '../../storage/reader.ts'
import type { Context } from '../context.ts'
import { type CallInputOf, type ResponseOf, type TypedOperation, typedOperation } from '../operation.ts'
import type { Schema } from '../schema.ts'
import {
  type DocumentOperationDefinition,
  headOf,
  type PathTo,
  type QueryOutput,
  type Serialization,
} from './document-operation.ts'

type GetError = 'invalid_request' | 'not_found'

interface GetDocument<T extends Versioned, Query extends Schema | undefined> {
  /** Query parameters, e.g. `expand`. */
  readonly query?: Query
  /** Returns the revision for the ETag, for documents whose response changes as time passes. Default: the version. */
  revisionOf?(document: T, clock: ExpiryClock): string | number
}

/**
 * Declares an operation that returns one document, with its version as ETag. The response is 404 when the document does
 * not exist (docs/decisions/0001-follow-one-set-of-http-conventions.md#d11-json-patch).
 *
 * @param collection the document's collection; the path has every parameter of its address.
 */
export function getOperation<
  const Id extends string,
  const Path extends string,
  T extends Versioned,
  A extends string,
  Response extends Schema,
  Query extends Schema | undefined = undefined,
>(
  collection: Documents<T, A>,
  definition: DocumentOperationDefinition<Id, PathTo<A, Path>> &
    GetDocument<T, Query> &
    Serialization<T, A, Response, QueryOutput<Query>>,
): TypedOperation<Id, CallInputOf<Path, Query, undefined>, ResponseOf<Response>> {
  const { access, serialize, revisionOf = ({ version }) => version } = definition
  return typedOperation({
    ...headOf(definition),
    method: 'GET',
    query: definition.query,
    success: { status: 200, body: definition.response },
    errors: 'query' in definition ? ['invalid_request', 'not_found'] : ['not_found'],
    access,
    async handle(context: Context<Reader, GetError>, { params, query }: GetInput<A, Query>) {
      const document = (await context.tx.get(collection, params)) ?? context.fail('not_found')
      context.setRevision(revisionOf(document, context))
      return serialize(context, document, params, query)
    },
  })
}

interface GetInput<A extends string, Query> {
  readonly params: Keys<A>
  readonly query: QueryOutput<Query>
}
