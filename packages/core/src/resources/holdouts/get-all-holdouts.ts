import { environments } from '../../models/environments/environment.ts'
import { holdouts } from '../../models/holdouts/holdout.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { holdoutSummaryResponse, serializeHoldoutSummary } from './holdout-schema.ts'

export const getAllHoldouts = listOperation(holdouts, {
  id: 'getAllHoldouts',
  summary: 'List the holdouts of an environment',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/holdouts',
  beta: 'tagged',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: environments,
  response: holdoutSummaryResponse,
  serialize: serializeHoldoutSummary,
})
