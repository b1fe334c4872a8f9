import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { presentFollowed } from '../targeting/expiring-target-wire.ts'
import {
  expiringUserTargetPatch,
  patchedExpiringUserTargetsWire,
  presentExpiringUserTargets,
} from './expiring-flag-target-wire.ts'
import { changeExpiringTargets } from './expiring-flag-targets.ts'

export const patchExpiringUserTargets = operation({
  id: 'patchExpiringUserTargets',
  summary: 'Say when users stop being targets of a feature flag',
  method: 'PATCH',
  path: '/api/v2/flags/{projectKey}/{featureFlagKey}/expiring-user-targets/{environmentKey}',
  body: jsonBody(expiringUserTargetPatch),
  success: { status: 200, body: patchedExpiringUserTargetsWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateExpiringTargets',
    resource: 'proj/{projectKey}:env/{environmentKey}:flag/{featureFlagKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params: { featureFlagKey: flagKey, ...place }, body }) {
    const keys = { ...place, flagKey }
    const targets = await changeExpiringTargets(context, keys, body)
    return { ...presentExpiringUserTargets(context, keys, targets), ...presentFollowed(body.instructions.length) }
  },
})
