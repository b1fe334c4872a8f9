import { getExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { presentExpiringUserTargets } from '../../targeting/expiring-target-wire.ts'
import { expiringUserTargetsWire } from './expiring-flag-target-wire.ts'
import { flagTargets } from './expiring-flag-targets.ts'

export const getExpiringUserTargets = getExpiringTargetsOperation(flagTargets, {
  id: 'getExpiringUserTargets',
  summary: 'List the expiring user targets of a feature flag',
  path: '/api/v2/flags/{projectKey}/{featureFlagKey}/expiring-user-targets/{environmentKey}',
  response: expiringUserTargetsWire,
  serialize: presentExpiringUserTargets,
})
