import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { presentFollowed } from '../targeting/expiring-target-wire.ts'
import { editExpiringTargets } from './edit-expiring-targets.ts'
import { expiringTargetPatch, patchedExpiringTargetsWire, presentExpiringTargets } from './expiring-target-wire.ts'

export const patchExpiringTargetsForSegment = operation({
  id: 'patchExpiringTargetsForSegment',
  summary: 'Say when targets of a segment stop being some',
  method: 'PATCH',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-targets/{environmentKey}',
  body: jsonBody(expiringTargetPatch),
  success: { status: 200, body: patchedExpiringTargetsWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateExpiringTargets',
    resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const segment = await editExpiringTargets(context, params, body)
    return { ...presentExpiringTargets(context, params, segment), ...presentFollowed(body.instructions.length) }
  },
})
