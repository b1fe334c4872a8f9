import { patchExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { presentExpiringTargets } from '../../targeting/expiring-target-wire.ts'
import { expiringTargetPatch, patchedExpiringTargetsWire } from './expiring-flag-target-wire.ts'
import { flagTargets } from './expiring-flag-targets.ts'

export const patchExpiringTargets = patchExpiringTargetsOperation(flagTargets, {
  id: 'patchExpiringTargets',
  summary: 'Update the expiring targets of a feature flag',
  path: '/api/v2/flags/{projectKey}/{featureFlagKey}/expiring-targets/{environmentKey}',
  body: expiringTargetPatch,
  response: patchedExpiringTargetsWire,
  serialize: presentExpiringTargets,
})
