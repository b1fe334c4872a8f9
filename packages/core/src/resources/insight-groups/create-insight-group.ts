import { environments } from '../../models/environments/environment.ts'
import { jsonBody } from '../../operation/body.ts'
import { insertNew } from '../../operation/document-operations/create-operation.ts'
import { operation } from '../../operation/operation.ts'
import { undoOf } from '../../operation/undo/undo-rules.ts'
import { insightGroupIndex, insightGroups } from './insight-group.ts'
import { insightGroupRequest, insightGroupResponse, serializeInsightGroup } from './insight-group-schema.ts'

export const createInsightGroup = operation({
  id: 'createInsightGroup',
  undo: [undoOf(insightGroups, { create: 'createInsightGroup' })],
  summary: 'Create an insight group of all applications of an environment, or of some',
  method: 'POST',
  path: '/api/v2/engineering-insights/insights/group',
  beta: 'tagged',
  body: jsonBody(insightGroupRequest),
  success: { status: 201, body: insightGroupResponse },
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
    const [environment, indexEntry] = await Promise.all([tx.get(environments, keys), tx.get(insightGroupIndex, keys)])
    tx.expect(environments, keys, environment ?? fail('not_found'))
    // Inserting the index entry makes the key unique. An entry whose group no longer exists is replaced.
    const existing = indexEntry && (await tx.get(insightGroups, { ...indexEntry, insightGroupKey: body.key }))
    if (indexEntry && !existing)
      tx.follow(insightGroupIndex, keys, indexEntry, { ...indexEntry, projectKey, environmentKey })
    else insertNew(context, insightGroupIndex, keys, { projectKey, environmentKey })
    return serializeInsightGroup(context, insertNew(context, insightGroups, keys, { ...body, createdAt: now }))
  },
})
