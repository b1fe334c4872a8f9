import * as v from 'valibot'
import { workflowTemplates } from '../../models/workflows/workflow-template.ts'
import { linkTo } from '../../operation/link.ts'
import { operation } from '../../operation/operation.ts'
import { visiblePage } from '../../operation/pages/visible-page.ts'
import { booleanParameter, links, list } from '../../operation/schema.ts'
import { serializeTemplate, templateResponse } from './template-response.ts'

// Not defined by `listOperation`, because the reference API gives this list no pages.
export const getWorkflowTemplates = operation({
  id: 'getWorkflowTemplates',
  summary: 'List the workflow templates that the caller may view, by key',
  method: 'GET',
  path: '/api/v2/templates',
  query: v.object({
    summary: v.optional(booleanParameter(), false),
    search: v.optional(v.string(), ''),
  }),
  success: { status: 200, body: v.object({ _links: links(), items: list(templateResponse) }) },
  errors: ['invalid_request'],
  access: { open: true, why: 'the list omits what the caller may not view' },
  async handle(context, { query: { summary, search } }) {
    const where = search === '' ? [] : [{ op: 'contains', in: ['name', 'description'], text: search } as const]
    const visibleQuery = {
      collection: workflowTemplates,
      scope: {},
      action: 'viewTemplate',
      where,
      order: [{ field: 'key', type: 'text' }],
    } as const
    const { items } = await visiblePage(context, visibleQuery, { limit: Number.POSITIVE_INFINITY, offset: 0 })
    return {
      _links: { self: linkTo(context.url) },
      items: items.map((template) => serializeTemplate(context, template, { summary })),
    }
  },
})
