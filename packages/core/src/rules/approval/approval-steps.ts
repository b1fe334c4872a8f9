import type { ReviewRule } from './guard.ts'
import { countReviews, type Review, type ReviewKind } from './reviews.ts'

export const approvalStatuses = ['pending', 'scheduled', 'failed', 'completed'] as const

/** Status of an approval request. */
export type ApprovalStatus = (typeof approvalStatuses)[number]

/** State of an approval request that decides which steps are possible. */
export interface RequestState {
  readonly status: ApprovalStatus
  /** Identifies the person who created the request, in the same form as reviews identify theirs. */
  readonly requestor: string
  readonly reviews: readonly Review[]
}

/** A step of an approval request that a person requests. */
export type ApprovalStep =
  | { readonly do: 'review'; readonly kind: ReviewKind; readonly reviewer: string }
  | { readonly do: 'edit' | 'apply' | 'delete' }

/** Returns true if a request can still be applied. */
export function isOpen({ status }: Pick<RequestState, 'status'>): boolean {
  return status === 'pending' || status === 'scheduled'
}

/**
 * Returns the reason why a step cannot be taken, as a sentence; undefined if it can
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 *
 * @param rule current review requirements of the environment, not those at the time of the request.
 */
export function approvalRefusal(request: RequestState, step: ApprovalStep, rule: ReviewRule): string | undefined {
  if (request.status === 'completed') return 'The approval request was already applied and cannot be changed'
  if (step.do === 'delete') return undefined
  if (request.status === 'failed') return 'The approval request has failed: it can only be deleted'
  if (step.do === 'apply') return applyRefusal(request.reviews, rule)
  const isDecision = step.do === 'review' && step.kind !== 'comment'
  if (!isDecision || step.reviewer !== request.requestor || rule.canReviewOwnRequest) return undefined
  return 'The author of an approval request cannot approve or decline it in this environment'
}

function applyRefusal(reviews: readonly Review[], rule: ReviewRule): string | undefined {
  if (countReviews(reviews, 'decline') > 0 && !rule.canApplyDeclinedChanges) {
    return 'The approval request is declined, and declined changes cannot be applied in this environment'
  }
  const missing = rule.minNumApprovals - countReviews(reviews, 'approve')
  if (missing <= 0) return undefined
  return `The approval request needs ${missing} more ${missing === 1 ? 'approval' : 'approvals'}`
}
