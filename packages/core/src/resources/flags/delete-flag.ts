import { operation } from '../../operation/operation.ts'
import { loadFlag, revisionOf } from './flag-state.ts'
import { removeFlag } from './remove-flag.ts'

export const deleteFlag = operation({
  id: 'deleteFlag',
  summary: 'Delete a feature flag in all environments',
  method: 'DELETE',
  path: '/api/v2/flags/{projectKey}/{featureFlagKey}',
  success: { status: 204 },
  errors: ['not_found', 'optimistic_locking_error'],
  access: { action: 'deleteFlag', resource: 'proj/{projectKey}:env/*:flag/{featureFlagKey}' },
  async handle(context, { params: { projectKey, featureFlagKey } }) {
    const keys = { projectKey, flagKey: featureFlagKey }
    const state = (await loadFlag(context.tx, keys, context.now)) ?? context.fail('not_found')
    context.requireRevision(revisionOf(state))
    await removeFlag(context, keys, state)
  },
})
