import type { ReviewRule } from './guard.ts'

export const reviewKinds = ['approve', 'comment', 'decline'] as const

/** What a review says of an approval request. */
export type ReviewKind = (typeof reviewKinds)[number]

/** What somebody said about a request. */
export interface Review {
  readonly kind: ReviewKind
  /** Names the person, however they came: a service token counts as whoever made it. */
  readonly reviewer: string
}

export const reviewStatuses = ['approved', 'declined', 'pending'] as const

/** What all reviews of an approval request come to. */
export type ReviewStatus = (typeof reviewStatuses)[number]

/** Adds a review; a decision takes the place of the same person's earlier one, comments stay (D31). */
export function withReview<R extends Review>(reviews: readonly R[], added: R): readonly R[] {
  if (added.kind === 'comment') return [...reviews, added]
  return [...reviews.filter(({ kind, reviewer }) => kind === 'comment' || reviewer !== added.reviewer), added]
}

/** How many reviews are of a kind. */
export function countReviews(reviews: readonly Review[], wanted: ReviewKind): number {
  return reviews.filter(({ kind }) => kind === wanted).length
}

/** What reviews come to: one decline outweighs all approvals, and approvals count once there are enough of them. */
export function reviewStatusOf(
  reviews: readonly Review[],
  { minNumApprovals }: Pick<ReviewRule, 'minNumApprovals'>,
): ReviewStatus {
  if (countReviews(reviews, 'decline') > 0) return 'declined'
  return countReviews(reviews, 'approve') >= minNumApprovals ? 'approved' : 'pending'
}
