import * as v from 'valibot'
import { detachQuery } from '../../operation/detach-query.ts'
import { operation } from '../../operation/operation.ts'
import { bypassQuery } from '../environments/approval-bypass-query.ts'
import { loadFlag, revisionOf } from './flag-state.ts'
import { removeFlag } from './remove-flag.ts'

export const deleteFlag = operation({
  id: 'deleteFlag',
  summary: 'Delete a feature flag in all environments',
  method: 'DELETE',
  path: '/api/v2/flags/{projectKey}/{flagKey}',
  query: v.object({ ...bypassQuery, ...detachQuery }),
  success: { status: 204 },
  errors: ['invalid_request', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access: { action: 'deleteFlag', resource: 'proj/{projectKey}:env/*:flag/{flagKey}' },
  async handle(context, { params: { projectKey, flagKey } }) {
    const keys = { projectKey, flagKey }
    const state = (await loadFlag(context.tx, keys, context)) ?? context.fail('not_found')
    context.requireRevision(revisionOf(state))
    await removeFlag(context, keys, state)
  },
})
