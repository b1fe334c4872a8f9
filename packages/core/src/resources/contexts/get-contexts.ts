import { seenContexts } from '../../models/contexts/seen-context.ts'
import { environments } from '../../models/environments/environment.ts'
import { operation } from '../../operation/operation.ts'
import { contextsResponse, serializeContext } from './context-response.ts'
import { searchQuery, selectionOf, serializeFound } from './context-search.ts'

export const getContexts = operation({
  id: 'getContexts',
  summary: 'List the context with a kind and a key, if it was seen in an environment',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/contexts/{kind}/{key}',
  freeParams: ['kind', 'key'],
  query: searchQuery(),
  success: { status: 200, body: contextsResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const environment = (await tx.get(environments, params)) ?? fail('not_found')
    const { where, ...selection } = selectionOf(query)
    const hasKindAndKey = { op: 'equals', field: 'kindKeys', value: `${params.kind}:${params.key}` } as const
    const page = await tx.list(seenContexts, params, { ...selection, where: [hasKindAndKey, ...where] })
    const part = { environment, found: page, ...selection, includeTotalCount: query.includeTotalCount }
    return serializeFound(context, part, (item) => serializeContext(context, item, params))
  },
})
