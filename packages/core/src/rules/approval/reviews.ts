import type { ReviewRule } from './guard.ts'

export const reviewKinds = ['approve', 'comment', 'decline'] as const

/** Kind of a review of an approval request. */
export type ReviewKind = (typeof reviewKinds)[number]

/** A review of a request by one person. */
export interface Review {
  readonly kind: ReviewKind
  /**
   * Identifies the person, regardless of the kind of authentication: a service token counts as the person who created
   * it.
   */
  readonly reviewer: string
}

export const reviewStatuses = ['approved', 'declined', 'pending'] as const

/** Combined result of all reviews of an approval request. */
export type ReviewStatus = (typeof reviewStatuses)[number]

/**
 * Adds a review. A decision replaces the earlier decision of the same person; comments are retained
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export function withReview<R extends Review>(reviews: readonly R[], added: R): readonly R[] {
  if (added.kind === 'comment') return [...reviews, added]
  return [...reviews.filter(({ kind, reviewer }) => kind === 'comment' || reviewer !== added.reviewer), added]
}

/** Returns the number of reviews of a kind. */
export function countReviews(reviews: readonly Review[], reviewKind: ReviewKind): number {
  return reviews.filter(({ kind }) => kind === reviewKind).length
}

/**
 * Returns the combined result: one decline outweighs all approvals, and approvals count when there are enough of them.
 */
export function reviewStatusOf(
  reviews: readonly Review[],
  { minNumApprovals }: Pick<ReviewRule, 'minNumApprovals'>,
): ReviewStatus {
  if (countReviews(reviews, 'decline') > 0) return 'declined'
  return countReviews(reviews, 'approve') >= minNumApprovals ? 'approved' : 'pending'
}
