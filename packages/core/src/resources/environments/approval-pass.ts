/** What lets a change pass where its environment requires approval. */
export interface ApprovalPass {
  /** Key of the environment in which reviewers have approved this very change. */
  readonly approvedIn?: string
  /** Whether the caller asks to do without approval, which takes the action `bypassRequiredApproval`. */
  readonly bypassRequiredApproval?: boolean
}
