import { operation } from '../../operation/operation.ts'
import { expiringUserTargetsWire, presentExpiringUserTargets } from './expiring-flag-target-wire.ts'
import { expiringTargetsOf } from './expiring-flag-targets.ts'

export const getExpiringUserTargets = operation({
  id: 'getExpiringUserTargets',
  summary: 'Tell when users stop being targets of a feature flag',
  method: 'GET',
  path: '/api/v2/flags/{projectKey}/{featureFlagKey}/expiring-user-targets/{environmentKey}',
  success: { status: 200, body: expiringUserTargetsWire },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params: { featureFlagKey: flagKey, ...place } }) {
    const keys = { ...place, flagKey }
    return presentExpiringUserTargets(context, keys, await expiringTargetsOf(context, keys))
  },
})
