import { contextInstances } from '../../models/contexts/seen-context.ts'
import { environments } from '../../models/environments/environment.ts'
import { optionalJsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { contextInstancesResponse, serializeInstance } from './context-response.ts'
import { nextPart, oneSearch, searchBody, searchQuery, selectionOf } from './context-search.ts'

export const searchContextInstances = operation({
  id: 'searchContextInstances',
  summary: 'Search the combinations of contexts that were seen in an environment; by query or by body, not by both',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/context-instances/search',
  query: searchQuery(),
  body: optionalJsonBody(searchBody()),
  dry: true,
  success: { status: 200, body: contextInstancesResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query, body }) {
    const { tx, fail } = context
    const search = oneSearch(query, body) ?? fail('invalid_request', { message: 'Search by query or by body' })
    const environment = (await tx.get(environments, params)) ?? fail('not_found')
    const selection = selectionOf(search)
    const found = await tx.list(contextInstances, params, selection)
    return {
      _environmentId: environment.id,
      items: found.items.map((item) => serializeInstance(context, item, params)),
      ...(query.includeTotalCount ? { totalCount: found.total } : {}),
      ...nextPart(context, selection.offset, selection.limit, found.total),
    }
  },
})
