import * as v from 'valibot'
import { operation } from '../../operation/operation.ts'
import { commaList } from '../../operation/schema.ts'
import { flagResponse, serializeFlag } from './flag-schema.ts'
import { limitToEnvironments, loadFlag, revisionOf } from './flag-state.ts'

export const getFlag = operation({
  id: 'getFlag',
  summary: 'Get a feature flag, in all environments or in those named by `env`',
  method: 'GET',
  path: '/api/v2/flags/{projectKey}/{flagKey}',
  query: v.object({ env: v.optional(commaList(), []) }),
  success: { status: 200, body: flagResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params: { projectKey, flagKey }, query }) {
    const state = (await loadFlag(context.tx, { projectKey, flagKey }, context)) ?? context.fail('not_found')
    context.setRevision(revisionOf(state))
    return serializeFlag(context, projectKey, query.env.length > 0 ? limitToEnvironments(state, query.env) : state)
  },
})
