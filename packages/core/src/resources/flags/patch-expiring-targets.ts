import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { presentFollowed } from '../targeting/expiring-target-wire.ts'
import { expiringTargetPatch, patchedExpiringTargetsWire, presentExpiringTargets } from './expiring-flag-target-wire.ts'
import { changeExpiringTargets } from './expiring-flag-targets.ts'

export const patchExpiringTargets = operation({
  id: 'patchExpiringTargets',
  summary: 'Say when targets of a feature flag stop being some',
  method: 'PATCH',
  path: '/api/v2/flags/{projectKey}/{featureFlagKey}/expiring-targets/{environmentKey}',
  body: jsonBody(expiringTargetPatch),
  success: { status: 200, body: patchedExpiringTargetsWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateExpiringTargets',
    resource: 'proj/{projectKey}:env/{environmentKey}:flag/{featureFlagKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params: { featureFlagKey: flagKey, ...place }, body }) {
    const keys = { ...place, flagKey }
    const targets = await changeExpiringTargets(context, keys, body)
    return { ...presentExpiringTargets(context, keys, targets), ...presentFollowed(body.instructions.length) }
  },
})
