import * as v from 'valibot'
import { views } from '../../models/views/view.ts'
import { pageLinks } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { collection, expand, page, sort } from '../../operation/schema.ts'
import { linkKindOf } from './link-kind.ts'
import { linkedResourceResponse, serializeLink } from './link-schema.ts'
import { pageOfLinks } from './linked-page.ts'
import { detailsOf } from './resource-details.ts'

export const listLinkedResources = operation({
  id: 'listLinkedResources',
  summary: 'List the flags or segments that are linked to a view',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/views/{viewKey}/linked/{resourceType}',
  beta: 'declared',
  query: v.object({
    ...page(),
    sort: sort({ linkedAt: 'number', name: 'text' }, 'linkedAt'),
    query: v.optional(v.string()),
    filter: v.optional(v.string(), ''),
    expand: expand('resourceDetails'),
  }),
  success: { status: 200, body: collection(linkedResourceResponse) },
  errors: ['invalid_request', 'not_found'],
  access: {
    action: 'viewView',
    resource: 'proj/{projectKey}:view/{viewKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params: { resourceType, ...keys }, query }) {
    const { tx, fail } = context
    const kind = linkKindOf(resourceType) ?? fail('not_found')
    const [view, { items, total }] = await Promise.all([
      tx.get(views, keys),
      pageOfLinks(context, { kind, keys }, query),
    ])
    if (!view) return fail('not_found')
    const details = query.expand.includes('resourceDetails')
      ? await detailsOf(context, kind, keys.projectKey, items)
      : undefined
    return {
      items: items.map((link, index) => ({
        ...serializeLink(context, { kind, keys }, { target: link, linkedAt: link.linkedAt }),
        ...(details?.[index] ? { resourceDetails: { [kind.type]: details[index] } } : {}),
      })),
      totalCount: total,
      _links: pageLinks(context.url, query, total),
    }
  },
})
