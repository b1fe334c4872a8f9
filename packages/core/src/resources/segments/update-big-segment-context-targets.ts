import { jsonBody } from '../../operation/body.ts'
import { operation } from '../../operation/operation.ts'
import { membershipRequest } from './membership-wire.ts'
import { updateMembership } from './update-membership.ts'

export const updateBigSegmentContextTargets = operation({
  id: 'updateBigSegmentContextTargets',
  summary: 'Add contexts to a big segment and take contexts away',
  method: 'POST',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/contexts',
  body: jsonBody(membershipRequest),
  success: { status: 204 },
  errors: ['invalid_request', 'not_found', 'optimistic_locking_error'],
  access: {
    action: ['updateIncluded', 'updateExcluded'],
    resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}',
  },
  handle: (context, { params, body }) => updateMembership(context, params, body),
})
