import { patchExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { serializeExpiringTargets } from '../../targeting/expiring-target-response.ts'
import { expiringTargetPatch, patchedExpiringTargetsResponse } from './expiring-flag-target-schema.ts'
import { flagTargets } from './expiring-flag-targets.ts'

export const patchExpiringTargets = patchExpiringTargetsOperation(flagTargets, {
  id: 'patchExpiringTargets',
  summary: 'Update the expiring targets of a feature flag',
  path: '/api/v2/flags/{projectKey}/{flagKey}/expiring-targets/{environmentKey}',
  body: expiringTargetPatch,
  response: patchedExpiringTargetsResponse,
  serialize: serializeExpiringTargets,
})
