/** Condition under which an environment requires approval for changes of its resources. */
export interface ApprovalRule {
  readonly required: boolean
  /** If not empty, only resources with one of these tags require approval; otherwise all do. */
  readonly requiredApprovalTags: readonly string[]
}

/**
 * Returns true if a change of a resource with these tags requires approval
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export function requiresApproval({ required, requiredApprovalTags }: ApprovalRule, tags: readonly string[]): boolean {
  return required && (requiredApprovalTags.length === 0 || requiredApprovalTags.some((tag) => tags.includes(tag)))
}

/** Requirements of an environment for reviews. */
export interface ReviewRule {
  /** Number of approvals that a change needs, 1 to 5. */
  readonly minNumApprovals: number
  readonly canReviewOwnRequest: boolean
  readonly canApplyDeclinedChanges: boolean
}

/** Returns the rule that allows exactly what both rules allow. */
export function stricterReviewRule<A extends ReviewRule>(first: A, second: ReviewRule): A {
  return {
    ...first,
    minNumApprovals: Math.max(first.minNumApprovals, second.minNumApprovals),
    canReviewOwnRequest: first.canReviewOwnRequest && second.canReviewOwnRequest,
    canApplyDeclinedChanges: first.canApplyDeclinedChanges && second.canApplyDeclinedChanges,
  }
}
