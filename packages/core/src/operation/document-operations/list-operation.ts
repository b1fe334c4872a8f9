import * as v from 'valibot'
import type { Documents, Versioned } from '../../storage/collection.ts'
import type { Condition, Order } from '../../storage/port.ts'
import type { Reader, ScopeKeys } from '../../storage/reader.ts'
import type { Action } from '../../vocabulary/policy-kinds.ts'
import type { Context } from '../context.ts'
import { type PageQuery, pageLinks } from '../link.ts'
import { type CallInputOf, type Params, type ResponseOf, type TypedOperation, typedOperation } from '../operation.ts'
import { visiblePage } from '../pages/visible-page.ts'
import { collection as collectionOf, type Output, page, type Schema } from '../schema.ts'
import {
  type DocumentOperationDefinition,
  headOf,
  keysUnder,
  type PathAbove,
  type Serialization,
  type Within,
} from './document-operation.ts'

interface ListDocuments<Path extends string, Query extends Schema, S extends Selection> extends Within<Path> {
  /** Schema of the query; it must have `limit` and `offset`. Default: only these two, as {@link page} makes them. */
  readonly query?: Query
  /** Returns the conditions and the order of the list; it may read from storage. Default: all documents, by key. */
  select?(
    query: Output<Query>,
    context: Context<Reader, 'invalid_request'>,
    params: Params<Path>,
  ): Exact<S> | Promise<Exact<S>>
  /**
   * The action that makes a document visible. Each document is authorized separately, so use it only for short lists.
   */
  readonly visible?: Action
}

/** Conditions and order of a list. */
interface Selection {
  readonly where?: readonly Condition[]
  readonly order?: readonly Order[]
}

/**
 * A selection that has no properties in addition to those of `Selection`. The type is needed because the compiler does
 * not report unknown properties in the result of a function.
 */
type Exact<S extends Selection> = S & Readonly<Record<Exclude<keyof S, keyof Selection>, never>>

type PlainPage = ReturnType<typeof plainPage>

/**
 * Declares an operation that lists documents of one collection in pages
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d9-pagination).
 */
export function listOperation<
  const Id extends string,
  const Path extends string,
  T extends Versioned,
  A extends string,
  Response extends Schema,
  Query extends Schema = PlainPage,
  S extends Selection = Selection,
>(
  collection: Documents<T, A>,
  definition: DocumentOperationDefinition<Id, PathAbove<A, Path>> &
    ListDocuments<Path, Query, S> &
    Serialization<T, A, Response, Output<Query>>,
): TypedOperation<Id, CallInputOf<Path, Query, undefined>, ResponseOf<ReturnType<typeof collectionOf<Response>>>> {
  const { access, serialize, select, within, withinKeys = (params) => params, visible } = definition
  return typedOperation({
    ...headOf(definition),
    method: 'GET',
    query: definition.query ?? plainPage(),
    success: { status: 200, body: collectionOf(definition.response) },
    errors: within ? ['invalid_request', 'not_found'] : ['invalid_request'],
    access,
    async handle(
      context: Context<Reader, 'invalid_request' | 'not_found'>,
      { params, query }: { params: Params<Path> & ScopeKeys<A>; query: Output<Query> & PageQuery },
    ) {
      const { limit, offset } = query
      const parent = within ? context.tx.get(within, withinKeys(params)) : true
      const selected = select?.(query, context, params) ?? {}
      const listed = (selection: Selection) =>
        visible
          ? visiblePage(context, { collection, scope: params, action: visible, ...selection }, { limit, offset })
          : context.tx.list(collection, params, { ...selection, limit, offset })
      const page = selected instanceof Promise ? selected.then(listed) : listed(selected)
      const [exists, documents] = await Promise.all([parent, page])
      if (!exists) context.fail('not_found')
      const itemOf = (document: T, index: number) =>
        serialize(context, document, keysUnder(collection, params, documents.keys[index] as string), query)
      return {
        items: await Promise.all(documents.items.map(itemOf)),
        totalCount: documents.total,
        _links: pageLinks(context.url, { limit, offset }, documents.total),
      }
    },
  })
}

function plainPage() {
  return v.object(page())
}
