import { getExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { serializeExpiringUserTargets } from '../../targeting/expiring-target-response.ts'
import { expiringUserTargetsResponse } from './expiring-flag-target-schema.ts'
import { flagTargets } from './expiring-flag-targets.ts'

export const getExpiringUserTargets = getExpiringTargetsOperation(flagTargets, {
  id: 'getExpiringUserTargets',
  summary: 'List the expiring user targets of a feature flag',
  path: '/api/v2/flags/{projectKey}/{flagKey}/expiring-user-targets/{environmentKey}',
  response: expiringUserTargetsResponse,
  serialize: serializeExpiringUserTargets,
})
