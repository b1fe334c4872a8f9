import * as v from 'valibot'
import type { Documents, Versioned } from '../../storage/collection.ts'
import type { Condition, Order } from '../../storage/port.ts'
import type { Reader, ScopeKeys } from '../../storage/reader.ts'
import type { Context, ReadContext } from '../context.ts'
import { type PageQuery, pageLinks } from '../link.ts'
import { type AnswerOf, type Card, type GivenTo, operation, type Params } from '../operation.ts'
import { visiblePage } from '../pages/visible-page.ts'
import { collection as collectionOf, type Output, page, type Schema } from '../schema.ts'
import { type DocumentCard, headOf, keysUnder, type PathAbove, type Shown, type Within } from './card.ts'

interface ListDocuments<Path extends string, Query extends Schema> extends Within<Path> {
  /** Must have `limit` and `offset`. Default: these alone, as {@link page} makes them. */
  readonly query?: Query
  /** Which documents, and in which order; what is asked may take a look at storage. Default: all, by key. */
  select?(
    query: Output<Query>,
    context: Context<Reader, 'invalid_request'>,
    params: Params<Path>,
  ): Selection | Promise<Selection>
  /** The action that makes a document visible; all are judged one by one, so it is for lists that stay small. */
  readonly visible?: string
}

interface Selection {
  readonly where?: readonly Condition[]
  readonly order?: readonly Order[]
}

type PlainPage = ReturnType<typeof plainPage>

/** The card of an operation that lists documents of one collection, page by page (D9). */
export function listCard<
  const Id extends string,
  const Path extends string,
  T extends Versioned,
  A extends string,
  Answer extends Schema,
  Query extends Schema = PlainPage,
>(
  collection: Documents<T, A>,
  card: DocumentCard<Id, PathAbove<A, Path>> & ListDocuments<Path, Query> & Shown<T, A, Answer, Output<Query>>,
): Card<Id, GivenTo<Path, Query, undefined>, AnswerOf<ReturnType<typeof collectionOf<Answer>>>> {
  const { present, select = () => ({}), within, withinKeys = (params) => params, visible } = card
  return operation({
    ...headOf(card),
    method: 'GET',
    query: card.query ?? plainPage(),
    success: { status: 200, body: collectionOf(card.answer) },
    errors: within ? ['invalid_request', 'not_found'] : ['invalid_request'],
    async handle(
      context: ReadContext,
      { params, query }: { params: Readonly<Record<string, string>>; query: unknown },
    ) {
      const asked = query as PageQuery
      const parent = within ? context.tx.get(within, withinKeys(params as Params<Path>)) : true
      const scope = params as ScopeKeys<A>
      const selected = select(query as Output<Query>, context as never, params as Params<Path>)
      const listed = (selection: Selection) =>
        visible
          ? visiblePage(context as never, { collection, scope, action: visible, ...selection }, asked)
          : context.tx.list(collection, scope, { ...selection, limit: asked.limit, offset: asked.offset })
      const page = selected instanceof Promise ? selected.then(listed) : listed(selected)
      const [there, found] = await Promise.all([parent, page])
      if (!there) context.fail('not_found' as never)
      const shown = (document: T, at: number) =>
        present(context, document, keysUnder(collection, params, found.keys[at] as string), query as Output<Query>)
      return {
        items: await Promise.all(found.items.map(shown)),
        totalCount: found.total,
        _links: pageLinks(context.url, asked, found.total),
      }
    },
  } as never) as never
}

function plainPage() {
  return v.object(page())
}
