import { contextInstances } from '../../models/contexts/seen-context.ts'
import { environments } from '../../models/environments/environment.ts'
import { operation } from '../../operation/operation.ts'
import { contextInstancesResponse, serializeInstance } from './context-response.ts'
import { searchQuery, selectionOf, serializeFound } from './context-search.ts'

export const getContextInstances = operation({
  id: 'getContextInstances',
  summary: 'List the combination of contexts with an id, if it was seen in an environment',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/context-instances/{id}',
  query: searchQuery(),
  success: { status: 200, body: contextInstancesResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params, query }) {
    const { tx, fail } = context
    const instanceKeys = { ...params, instanceId: params.id }
    const [environment, instance] = await Promise.all([
      tx.get(environments, params),
      tx.get(contextInstances, instanceKeys),
    ])
    if (!environment || !instance) return fail('not_found')
    const { where, ...selection } = selectionOf(query)
    const withId = { op: 'equals', field: 'key', value: params.id } as const
    const page = await tx.list(contextInstances, params, { ...selection, where: [withId, ...where] })
    const part = { environment, found: page, ...selection, includeTotalCount: query.includeTotalCount }
    return serializeFound(context, part, (item) => serializeInstance(context, item, params))
  },
})
