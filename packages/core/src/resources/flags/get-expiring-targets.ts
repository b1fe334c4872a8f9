import { operation } from '../../operation/operation.ts'
import { expiringTargetsWire, presentExpiringTargets } from './expiring-flag-target-wire.ts'
import { expiringTargetsOf } from './expiring-flag-targets.ts'

export const getExpiringTargets = operation({
  id: 'getExpiringTargets',
  summary: 'Tell when targets of a feature flag stop being some',
  method: 'GET',
  path: '/api/v2/flags/{projectKey}/{featureFlagKey}/expiring-targets/{environmentKey}',
  success: { status: 200, body: expiringTargetsWire },
  errors: ['not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params: { featureFlagKey: flagKey, ...place } }) {
    const keys = { ...place, flagKey }
    return presentExpiringTargets(context, keys, await expiringTargetsOf(context, keys))
  },
})
