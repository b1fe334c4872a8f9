import { operation } from '../../../operation/operation.ts'
import { membershipResponse, serializeMembership } from './membership-schema.ts'
import { requireBigSegment } from './require-big-segment.ts'

export const getSegmentMembershipForContext = operation({
  id: 'getSegmentMembershipForContext',
  summary: 'Get the membership of a context in a big segment',
  method: 'GET',
  path: '/api/v2/segments/{projectKey}/{environmentKey}/{segmentKey}/contexts/{contextKey}',
  freeParams: ['contextKey'],
  success: { status: 200, body: membershipResponse },
  errors: ['invalid_request', 'not_found'],
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  async handle(context, { params }) {
    const segment = await requireBigSegment(context, params)
    context.setRevision(segment.version)
    return serializeMembership(context, params, params.contextKey)
  },
})
