import { patchExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { presentExpiringUserTargets } from '../../targeting/expiring-target-wire.ts'
import { expiringUserTargetPatch, patchedExpiringUserTargetsWire } from './expiring-flag-target-wire.ts'
import { flagTargets } from './expiring-flag-targets.ts'

export const patchExpiringUserTargets = patchExpiringTargetsOperation(flagTargets, {
  id: 'patchExpiringUserTargets',
  summary: 'Update the expiring user targets of a feature flag',
  path: '/api/v2/flags/{projectKey}/{featureFlagKey}/expiring-user-targets/{environmentKey}',
  body: expiringUserTargetPatch,
  response: patchedExpiringUserTargetsWire,
  serialize: presentExpiringUserTargets,
})
