import { holdouts } from '../../models/holdouts/holdout.ts'
import { getOperation } from '../../operation/document-operations/get-operation.ts'
import { holdoutDetailResponse, holdoutQuery, serializeHoldoutDetail } from './holdout-schema.ts'

export const getHoldout = getOperation(holdouts, {
  id: 'getHoldout',
  summary: 'Get a holdout with its experiments',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/holdouts/{holdoutKey}',
  beta: 'tagged',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  query: holdoutQuery,
  response: holdoutDetailResponse,
  serialize: serializeHoldoutDetail,
})
