import { patchExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { serializeExpiringUserTargets } from '../../targeting/expiring-target-response.ts'
import { expiringUserTargetPatch, patchedExpiringUserTargetsResponse } from './expiring-flag-target-schema.ts'
import { flagTargets } from './expiring-flag-targets.ts'

export const patchExpiringUserTargets = patchExpiringTargetsOperation(flagTargets, {
  id: 'patchExpiringUserTargets',
  summary: 'Update the expiring user targets of a feature flag',
  path: '/api/v2/flags/{projectKey}/{flagKey}/expiring-user-targets/{environmentKey}',
  body: expiringUserTargetPatch,
  response: patchedExpiringUserTargetsResponse,
  serialize: serializeExpiringUserTargets,
})
