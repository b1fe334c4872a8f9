import { getExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { presentExpiringTargets } from '../../targeting/expiring-target-wire.ts'
import { expiringTargetsWire } from './expiring-flag-target-wire.ts'
import { flagTargets } from './expiring-flag-targets.ts'

export const getExpiringTargets = getExpiringTargetsOperation(flagTargets, {
  id: 'getExpiringTargets',
  summary: 'List the expiring targets of a feature flag',
  path: '/api/v2/flags/{projectKey}/{featureFlagKey}/expiring-targets/{environmentKey}',
  response: expiringTargetsWire,
  serialize: presentExpiringTargets,
})
