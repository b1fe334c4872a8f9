import type { ReviewRule } from './guard.ts'
import { countReviews, type Review, type ReviewKind } from './reviews.ts'

export const approvalStatuses = ['pending', 'scheduled', 'failed', 'completed'] as const

/** Where an approval request stands. */
export type ApprovalStatus = (typeof approvalStatuses)[number]

/** Where a request stands. */
export interface RequestState {
  readonly status: ApprovalStatus
  /** Names the person who made it, as reviews name theirs. */
  readonly requestor: string
  readonly reviews: readonly Review[]
}

/** What somebody wants to do with a request. */
export type ApprovalStep =
  | { readonly do: 'review'; readonly kind: ReviewKind; readonly reviewer: string }
  | { readonly do: 'edit' | 'apply' | 'delete' }

/** Whether a request can still be applied. */
export function isOpen({ status }: Pick<RequestState, 'status'>): boolean {
  return status === 'pending' || status === 'scheduled'
}

/**
 * Why a step cannot be taken, as a sentence; undefined when it can (D31).
 *
 * @param rule what the environment asks of reviews now, whatever it asked when the request was made.
 */
export function approvalRefusal(request: RequestState, step: ApprovalStep, rule: ReviewRule): string | undefined {
  if (request.status === 'completed') return 'The approval request was applied: it stays as it is'
  if (step.do === 'delete') return undefined
  if (request.status === 'failed') return 'The approval request has failed: it can only be deleted'
  if (step.do === 'apply') return applyRefusal(request.reviews, rule)
  const decides = step.do === 'review' && step.kind !== 'comment'
  if (!decides || step.reviewer !== request.requestor || rule.canReviewOwnRequest) return undefined
  return 'Whoever made an approval request cannot approve or decline it in this environment'
}

function applyRefusal(reviews: readonly Review[], rule: ReviewRule): string | undefined {
  if (countReviews(reviews, 'decline') > 0 && !rule.canApplyDeclinedChanges) {
    return 'The approval request is declined, and declined changes cannot be applied in this environment'
  }
  const missing = rule.minNumApprovals - countReviews(reviews, 'approve')
  if (missing <= 0) return undefined
  return `The approval request needs ${missing} more ${missing === 1 ? 'approval' : 'approvals'}`
}
