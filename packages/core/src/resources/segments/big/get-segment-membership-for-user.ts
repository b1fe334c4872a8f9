import { operation } from '../../../operation/operation.ts'
import { userKind } from '../../../rules/targeting/clause.ts'
import { membershipResponse, serializeMembership } from './membership-schema.ts'
import { requireBigSegment } from './require-big-segment.ts'

export const getSegmentMembershipForUser = operation({
  id: 'getSegmentMembershipForUser',
  summary: 'Get the membership of a user in a big segment',
  method: 'GET',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/users/{userKey}',
  freeParams: ['userKey'],
  success: { status: 200, body: membershipResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const segment = await requireBigSegment(context, params, userKind)
    context.setRevision(segment.version)
    return serializeMembership(context, params, params.userKey)
  },
})
