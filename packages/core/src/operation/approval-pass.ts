/** A resource for which reviewers have approved a change in an environment. */
export interface ApprovedChange {
  readonly kind: 'flag' | 'segment' | 'aiconfig'
  readonly projectKey: string
  /** Absent when the change concerns all environments: the contents of an AI config. */
  readonly environmentKey?: string
  /** Key of the flag, segment or AI config. */
  readonly resourceKey: string
}

/** Conditions under which a change is allowed although its environment requires approval. */
export interface ApprovalPass {
  /** The change that reviewers have approved. Default: none. */
  readonly approved?: ApprovedChange | undefined
  /** True when the caller requests to bypass approval, which needs the action `bypassRequiredApproval`. Default false. */
  readonly bypassRequiredApproval?: boolean
}
