import { operation } from '../../operation/operation.ts'
import { findHoldout } from '../experiments/experiment-holdout.ts'
import { holdoutResponse, serializeHoldout } from './holdout-schema.ts'

export const getHoldoutById = operation({
  id: 'getHoldoutById',
  summary: 'Get a holdout by its id',
  method: 'GET',
  path: '/api/v2/projects/{projectKey}/environments/{environmentKey}/holdouts/id/{holdoutId}',
  beta: 'tagged',
  success: { status: 200, body: holdoutResponse },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const holdout = (await findHoldout(context.tx, params, params.holdoutId)) ?? context.fail('not_found')
    context.setRevision(holdout.version)
    return serializeHoldout(context, holdout, { ...params, holdoutKey: holdout.key })
  },
})
