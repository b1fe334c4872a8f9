/** Condition under which an environment requires approval for changes of its resources. */
export interface ApprovalRule {
  readonly required: boolean
  /** If not empty, only resources with one of these tags require approval; otherwise all do. */
  readonly requiredApprovalTags: readonly string[]
}

/** Returns true if a change of a resource with these tags requires approval (D31). */
export function requiresApproval({ required, requiredApprovalTags }: ApprovalRule, tags: readonly string[]): boolean {
  return required && (requiredApprovalTags.length === 0 || requiredApprovalTags.some((tag) => tags.includes(tag)))
}

/** Requirements of an environment for reviews. */
export interface ReviewRule {
  /** 1 to 5. */
  readonly minNumApprovals: number
  readonly canReviewOwnRequest: boolean
  readonly canApplyDeclinedChanges: boolean
}

/** Returns the rule that allows exactly what both rules allow. */
export function stricterReviews<A extends ReviewRule>(one: A, other: ReviewRule): A {
  return {
    ...one,
    minNumApprovals: Math.max(one.minNumApprovals, other.minNumApprovals),
    canReviewOwnRequest: one.canReviewOwnRequest && other.canReviewOwnRequest,
    canApplyDeclinedChanges: one.canApplyDeclinedChanges && other.canApplyDeclinedChanges,
  }
}
