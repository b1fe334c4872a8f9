import { seenContexts } from '../../models/contexts/seen-context.ts'
import { environments } from '../../models/environments/environment.ts'
import { optionalJsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { contextsResponse, serializeContext } from './context-response.ts'
import { oneSearch, searchBody, searchQuery, selectionOf, serializeFound } from './context-search.ts'

export const searchContexts = operation({
  id: 'searchContexts',
  summary:
    'Search the contexts that were seen in an environment, each of one kind; the search is in the query or in the body, not in both',
  method: 'POST',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/contexts/search',
  query: searchQuery(),
  body: optionalJsonBody(searchBody()),
  dry: true,
  success: { status: 200, body: contextsResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query, body }) {
    const { tx, fail } = context
    const search = oneSearch(context, query, body)
    const environment = (await tx.get(environments, params)) ?? fail('not_found')
    const selection = selectionOf(search)
    const page = await tx.list(seenContexts, params, selection)
    const part = { environment, found: page, ...selection, includeTotalCount: query.includeTotalCount }
    return serializeFound(context, part, (item) => serializeContext(context, item, params))
  },
})
