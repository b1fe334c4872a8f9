import { contextInstances } from '../../models/contexts/seen-context.ts'
import { environments } from '../../models/environments/environment.ts'
import { optionalJsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { contextInstancesResponse, serializeInstance } from './context-response.ts'
import { oneSearch, searchBody, searchQuery, selectionOf, serializeFound } from './context-search.ts'

export const searchContextInstances = operation({
  id: 'searchContextInstances',
  summary:
    'Search the combinations of contexts that were seen in an environment; the search is in the query or in the body, not in both',
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
    const search = oneSearch(context, query, body)
    const environment = (await tx.get(environments, params)) ?? fail('not_found')
    const selection = selectionOf(search)
    const page = await tx.list(contextInstances, params, selection)
    const part = { environment, found: page, ...selection, includeTotalCount: query.includeTotalCount }
    return serializeFound(context, part, (item) => serializeInstance(context, item, params))
  },
})
