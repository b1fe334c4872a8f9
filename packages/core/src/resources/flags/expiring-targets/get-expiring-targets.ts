import { getExpiringTargetsOperation } from '../../targeting/expiring-target-operations.ts'
import { serializeExpiringTargets } from '../../targeting/expiring-target-response.ts'
import { expiringTargetsResponse } from './expiring-flag-target-schema.ts'
import { flagTargets } from './expiring-flag-targets.ts'

export const getExpiringTargets = getExpiringTargetsOperation(flagTargets, {
  id: 'getExpiringTargets',
  summary: 'List the expiring targets of a feature flag',
  path: '/api/v2/flags/{projectKey}/{flagKey}/expiring-targets/{environmentKey}',
  response: expiringTargetsResponse,
  serialize: serializeExpiringTargets,
})
