/** When an environment wants changes of its things approved. */
export interface ApprovalRule {
  readonly required: boolean
  /** Only things with one of these tags; all of them where there is none. */
  readonly requiredApprovalTags: readonly string[]
}

/** Whether a change of a thing with these tags needs approval (D31). */
export function requiresApproval({ required, requiredApprovalTags }: ApprovalRule, tags: readonly string[]): boolean {
  return required && (requiredApprovalTags.length === 0 || requiredApprovalTags.some((tag) => tags.includes(tag)))
}

/** What an environment asks of reviews. */
export interface ReviewRule {
  /** 1 to 5. */
  readonly minNumApprovals: number
  readonly canReviewOwnRequest: boolean
  readonly canApplyDeclinedChanges: boolean
}

/** The rule that is kept by whoever keeps both. */
export function stricterReviews<A extends ReviewRule>(one: A, other: ReviewRule): A {
  return {
    ...one,
    minNumApprovals: Math.max(one.minNumApprovals, other.minNumApprovals),
    canReviewOwnRequest: one.canReviewOwnRequest && other.canReviewOwnRequest,
    canApplyDeclinedChanges: one.canApplyDeclinedChanges && other.canApplyDeclinedChanges,
  }
}
