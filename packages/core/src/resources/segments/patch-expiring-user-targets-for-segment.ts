import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { presentFollowed } from '../targeting/expiring-target-wire.ts'
import { editExpiringTargets } from './edit-expiring-targets.ts'
import {
  expiringUserTargetPatch,
  patchedExpiringUserTargetsWire,
  presentExpiringUserTargets,
} from './expiring-target-wire.ts'

export const patchExpiringUserTargetsForSegment = operation({
  id: 'patchExpiringUserTargetsForSegment',
  summary: 'Say when users stop being targets of a segment',
  method: 'PATCH',
  path: '/api/v2/segments/{projectKey}/{segmentKey}/expiring-user-targets/{environmentKey}',
  body: jsonBody(expiringUserTargetPatch),
  success: { status: 200, body: patchedExpiringUserTargetsWire },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: 'updateExpiringTargets',
    resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}',
    shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  },
  async handle(context, { params, body }) {
    const segment = await editExpiringTargets(context, params, body)
    return { ...presentExpiringUserTargets(context, params, segment), ...presentFollowed(body.instructions.length) }
  },
})
