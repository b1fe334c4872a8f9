/** A resource and an environment for which reviewers have approved a change. */
export interface ApprovedChange {
  readonly kind: 'flag' | 'segment'
  readonly projectKey: string
  readonly environmentKey: string
  /** Key of the flag or segment. */
  readonly resourceKey: string
}

/** Conditions under which a change is allowed although its environment requires approval. */
export interface ApprovalPass {
  /** The change that reviewers have approved. Default: none. */
  readonly approved?: ApprovedChange | undefined
  /** True when the caller requests to bypass approval, which needs the action `bypassRequiredApproval`. Default false. */
  readonly bypassRequiredApproval?: boolean
}
