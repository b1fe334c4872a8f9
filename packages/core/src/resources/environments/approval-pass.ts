/** Conditions under which a change is allowed although its environment requires approval. */
export interface ApprovalPass {
  /** Key of the environment in which reviewers have approved exactly this change. */
  readonly approvedIn?: string
  /** True when the caller requests to bypass approval, which needs the action `bypassRequiredApproval`. */
  readonly bypassRequiredApproval?: boolean
}
