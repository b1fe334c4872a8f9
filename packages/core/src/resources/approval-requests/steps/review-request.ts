import {
  type ApprovalRequest,
  approvalRequests,
  type StoredReview,
} from '../../../models/approval-requests/approval-request.ts'
import type { Context } from '../../../operation/context.ts'
import { withReview } from '../../../rules/approval/reviews.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { ReviewBody } from '../approval-request-body-wire.ts'
import type { ApprovalRequestAnswer } from '../approval-request-wire.ts'
import { keysOf } from '../find-request.ts'
import { presentOne } from '../present-requests.ts'
import { personBehind } from './person.ts'
import { requireStep } from './require-step.ts'

/** Maximum number of reviews of a request, including comments. */
const mostReviews = 1_000

/** Adds a review to a request. A decision replaces the earlier one of the caller (D31). */
export async function reviewRequest(
  context: Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>,
  before: ApprovalRequest,
  { kind, comment }: ReviewBody,
): Promise<ApprovalRequestAnswer> {
  const { tx, caller } = context
  const host = context.useHost()
  const now = context.readClock()
  context.requireRevision(before.version)
  const { person: reviewer, ...named } = personBehind(caller)
  await requireStep(context, before, { do: 'review', kind, reviewer })
  const review: StoredReview = {
    id: host.newId(),
    kind,
    reviewer,
    ...(comment === undefined ? {} : { comment }),
    ...named,
    createdAt: now,
  }
  const reviews = withReview(before.reviews, review)
  if (reviews.length > mostReviews) {
    context.fail('invalid_request', { message: `An approval request has at most ${mostReviews} reviews` })
  }
  const after = tx.replace(approvalRequests[before.place.kind], keysOf(before), before, { ...before, reviews })
  context.revision(after.version)
  return presentOne(context, after, [])
}
