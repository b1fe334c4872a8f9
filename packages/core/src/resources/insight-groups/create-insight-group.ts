import { environments } from '../../models/environments/environment.ts'
import { jsonBody } from '../../operation/body.ts'
import { insertNew } from '../../operation/document-operations/create-operation.ts'
import { operation } from '../../operation/operation.ts'
import { insightGroupPlaces, insightGroups } from './insight-group.ts'
import { insightGroupRequest, insightGroupWire, presentInsightGroup } from './insight-group-wire.ts'

export const createInsightGroup = operation({
  id: 'createInsightGroup',
  summary: 'Create an insight group of all applications of an environment, or of some',
  method: 'POST',
  path: '/api/v2/engineering-insights/insights/group',
  beta: 'tagged',
  body: jsonBody(insightGroupRequest),
  success: { status: 201, body: insightGroupWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'createInsightGroup',
    resource: 'proj/{body.projectKey}:env/{body.environmentKey}:insight-group/{body.key}',
  },
  async handle(context, { body }) {
    const { tx, fail } = context
    const now = context.readClock()
    const { projectKey, environmentKey } = body
    const keys = { projectKey, environmentKey, insightGroupKey: body.key }
    const [environment, place] = await Promise.all([tx.get(environments, keys), tx.get(insightGroupPlaces, keys)])
    tx.expect(environments, keys, environment ?? fail('not_found'))
    // Inserting the index entry makes the key unique. An entry whose group no longer exists is replaced.
    const leads = place && (await tx.get(insightGroups, { ...place, insightGroupKey: body.key }))
    if (place && !leads) tx.follow(insightGroupPlaces, keys, place, { ...place, projectKey, environmentKey })
    else insertNew(context, insightGroupPlaces, keys, { projectKey, environmentKey })
    return presentInsightGroup(context, insertNew(context, insightGroups, keys, { ...body, createdAt: now }))
  },
})
