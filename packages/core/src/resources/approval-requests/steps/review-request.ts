import {
  type ApprovalRequest,
  requestsAbout,
  type StoredReview,
} from '../../../models/approval-requests/approval-request.ts'
import type { ApprovalSettings } from '../../../models/environments/approval-settings.ts'
import type { Context } from '../../../operation/context.ts'
import { reviewStatusOf, withReview } from '../../../rules/approval/reviews.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { ReviewBody } from '../approval-request-body.ts'
import type { ApprovalRequestResponse } from '../approval-request-response.ts'
import { requestKeysOf } from '../find-request.ts'
import { serializeSingleRequest } from '../serialize-requests.ts'
import { continueWorkflow } from './continue-workflow.ts'
import { enqueueRequest } from './enqueue-request.ts'
import { personOf } from './person.ts'
import { requireStep } from './require-step.ts'

/** Maximum number of reviews of a request, including comments. */
const maxReviews = 1_000

/**
 * Adds a review to a request. A decision replaces the earlier decision of the caller. Where the environment applies
 * approved changes by itself, the last missing approval starts the task that applies the request
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
  const settings = await requireStep(context, before, { do: 'review', kind, reviewer })
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
  const collection = requestsAbout(before.place)
  const reviewed = tx.replace(collection, requestKeysOf(before), before, { ...before, reviews })
  continueWorkflow(context, before)
  const after = isCompletedBy(review, reviewed, settings) ? applySoon(tx, reviewed, now) : reviewed
  context.setRevision(after.version)
  return serializeSingleRequest(context, after, [])
}

/** Returns true if a review was the last missing approval of a request that the engine is to apply without a call. */
function isCompletedBy({ kind }: StoredReview, request: ApprovalRequest, settings: ApprovalSettings): boolean {
  return (
    kind === 'approve' &&
    settings.autoApplyApprovedChanges &&
    request.workflow === undefined &&
    request.status === 'pending' &&
    request.mandate !== undefined &&
    reviewStatusOf(request.reviews, settings) === 'approved'
  )
}

/**
 * Schedules a request to be applied immediately. The reviewer needs no right to apply it, because its author's rights
 * apply.
 */
function applySoon(tx: Writer, request: ApprovalRequest, now: number): ApprovalRequest {
  enqueueRequest(tx, request, now)
  return tx.follow(requestsAbout(request.place), requestKeysOf(request), request, {
    ...request,
    status: 'scheduled',
    executionDate: now,
  })
}
