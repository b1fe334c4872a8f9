import * as v from 'valibot'
import { jsonBody } from '../../../operation/body.ts'
import { operation } from '../../../operation/operation.ts'
import { bypassQuery } from '../../environments/approval-bypass-query.ts'
import { membershipRequest } from './membership-schema.ts'
import { updateMembership } from './update-membership.ts'

export const updateBigSegmentContextTargets = operation({
  id: 'updateBigSegmentContextTargets',
  summary: 'Update the contexts of a big segment',
  method: 'POST',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/contexts',
  query: v.object(bypassQuery),
  body: jsonBody(membershipRequest),
  success: { status: 204 },
  errors: ['invalid_request', 'not_found', 'method_not_allowed', 'optimistic_locking_error'],
  access: {
    action: ['updateIncluded', 'updateExcluded'],
    resource: 'proj/{projectKey}:env/{environmentKey}:segment/{segmentKey}',
  },
  handle: (context, { params, body }) => updateMembership(context, params, body),
})
