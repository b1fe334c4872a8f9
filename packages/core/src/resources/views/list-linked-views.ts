import * as v from 'valibot'
import { environmentIds } from '../../models/environments/environment.ts'
import { flags } from '../../models/flags/flag.ts'
import { segments } from '../../models/segments/segment.ts'
import { type View, views } from '../../models/views/view.ts'
import { flagViews, segmentViews } from '../../models/views/view-link.ts'
import type { Context } from '../../operation/context.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, key, page } from '../../operation/schema.ts'
import type { Reader } from '../../storage/reader.ts'
import { linkKindOf } from './link-kind.ts'
import { serializeView, viewResponse } from './view-schema.ts'

/** Maximum number of views of one resource that are read. Policy decisions consider at most as many. */
const maxViews = 1_000

export const listLinkedViews = operation({
  id: 'listLinkedViews',
  summary: 'List the views that a flag or segment is linked to and that the caller may view',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/view-associations/{resourceType}/{resourceKey}',
  beta: 'declared',
  query: v.object({ ...page(), environmentId: v.optional(key()) }),
  success: { status: 200, body: collection(viewResponse) },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { projectKey, resourceType, resourceKey } = params
    const kind = linkKindOf(resourceType) ?? context.fail('not_found')
    const linked =
      kind.type === 'flag'
        ? await viewsOfFlag(context, { projectKey, flagKey: resourceKey })
        : await viewsOfSegment(context, { projectKey, segmentKey: resourceKey }, query.environmentId)
    const visible: View[] = []
    for (const view of linked) {
      if (view && (await context.allowed('viewView', views, { projectKey, viewKey: view.key }, view)))
        visible.push(view)
    }
    const pageViews = visible.slice(query.offset, query.offset + query.limit)
    return {
      items: await Promise.all(
        pageViews.map((view) => serializeView(context, view, { projectKey, viewKey: view.key })),
      ),
      totalCount: visible.length,
      _links: pageLinks(context.url, query, visible.length),
    }
  },
})

type ViewsContext = Context<Reader, 'invalid_request' | 'not_found'>

async function viewsOfFlag(
  { tx, fail }: ViewsContext,
  keys: Readonly<Record<'projectKey' | 'flagKey', string>>,
): Promise<(View | undefined)[]> {
  const { items } = await tx.listRows(flagViews, keys, { limit: maxViews })
  const [flag, viewDocuments] = await Promise.all([tx.get(flags, keys), tx.getMany(views, viewKeys(keys, items))])
  return flag ? viewDocuments : fail('not_found')
}

/** Returns the views of a segment. The key of a segment is unique only in its environment. */
async function viewsOfSegment(
  { tx, fail }: ViewsContext,
  { projectKey, segmentKey }: Readonly<Record<'projectKey' | 'segmentKey', string>>,
  environmentId: string | undefined,
): Promise<(View | undefined)[]> {
  if (environmentId === undefined) {
    const reason = 'must be present to identify the segment'
    return fail('invalid_request', { errors: [{ attribute: 'environmentId', reason }] })
  }
  const { environmentKey } = (await tx.get(environmentIds, { projectKey, environmentId })) ?? fail('not_found')
  const keys = { projectKey, environmentKey, segmentKey }
  const { items } = await tx.listRows(segmentViews, keys, { limit: maxViews })
  const [segment, viewDocuments] = await Promise.all([tx.get(segments, keys), tx.getMany(views, viewKeys(keys, items))])
  return segment ? viewDocuments : fail('not_found')
}

function viewKeys({ projectKey }: { readonly projectKey: string }, items: readonly { readonly key: string }[]) {
  return items.map(({ key: viewKey }) => ({ projectKey, viewKey }))
}
