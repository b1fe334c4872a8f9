import {
  type ApprovalRequest,
  approvalRequests,
  type StoredReview,
} from '../../../models/approval-requests/approval-request.ts'
import type { Context } from '../../../operation/context.ts'
import { withReview } from '../../../rules/approval/reviews.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { ReviewBody } from '../approval-request-body.ts'
import type { ApprovalRequestResponse } from '../approval-request-response.ts'
import { requestKeysOf } from '../find-request.ts'
import { serializeSingleRequest } from '../serialize-requests.ts'
import { personOf } from './person.ts'
import { requireStep } from './require-step.ts'

/** Maximum number of reviews of a request, including comments. */
const maxReviews = 1_000

/**
 * Adds a review to a request. A decision replaces the earlier one of the caller
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export async function reviewRequest(
  context: Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>,
  before: ApprovalRequest,
  { kind, comment }: ReviewBody,
): Promise<ApprovalRequestResponse> {
  const { tx, caller } = context
  const host = context.useHost()
  const now = context.readClock()
  context.requireRevision(before.version)
  const { person: reviewer, ...ids } = personOf(caller)
  await requireStep(context, before, { do: 'review', kind, reviewer })
  const review: StoredReview = {
    id: host.newId(),
    kind,
    reviewer,
    ...(comment === undefined ? {} : { comment }),
    ...ids,
    createdAt: now,
  }
  const reviews = withReview(before.reviews, review)
  if (reviews.length > maxReviews) {
    context.fail('invalid_request', { message: `An approval request has at most ${maxReviews} reviews` })
  }
  const after = tx.replace(approvalRequests[before.place.kind], requestKeysOf(before), before, { ...before, reviews })
  context.setRevision(after.version)
  return serializeSingleRequest(context, after, [])
}
