import { operation } from '../../operation/operation.ts'
import { expandInsightGroups } from './expand-insight-groups.ts'
import { findInsightGroup } from './find-insight-group.ts'
import { insightGroupQuery, insightGroupResponse } from './insight-group-schema.ts'

export const getInsightGroup = operation({
  id: 'getInsightGroup',
  summary: 'Get an insight group',
  method: 'GET',
  path: '/api/v2/engineering-insights/insights/groups/{insightGroupKey}',
  beta: 'tagged',
  query: insightGroupQuery,
  success: { status: 200, body: insightGroupResponse },
  errors: ['invalid_request', 'not_found'],
  access: {
    open: true,
    why: 'the project is known only once the resource is loaded; without viewProject the response is 404',
  },
  async handle(context, { params, query }) {
    const { document } = (await findInsightGroup(context, params)) ?? context.fail('not_found')
    context.setRevision(document.version)
    const [response] = await expandInsightGroups(context, [document], query.expand)
    return response!
  },
})
