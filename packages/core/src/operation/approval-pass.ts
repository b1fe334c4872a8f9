/**
 * A resource for which reviewers have approved a change in an environment; `proj` for a list of changes in a project.
 */
export interface ApprovedChange {
  readonly kind: 'flag' | 'segment' | 'aiconfig' | 'proj'
  readonly projectKey: string
  /** Absent when the change concerns all environments: the contents of an AI config, or a list of changes. */
  readonly environmentKey?: string
  /** Key of the flag, segment, AI config or project. */
  readonly resourceKey: string
}

/** Conditions under which a change is allowed although its environment requires approval. */
export interface ApprovalPass {
  /** The change that reviewers have approved. Default: no change. */
  readonly approved?: ApprovedChange | undefined
  /**
   * True when the caller requests to bypass approval, which needs the action `bypassRequiredApproval`. Default false.
   */
  readonly bypassRequiredApproval?: boolean
}

/** Returns true when reviewers have approved a list of changes in a project. */
export function isListApproved({ approved }: ApprovalPass, { projectKey }: { readonly projectKey: string }): boolean {
  return approved?.kind === 'proj' && approved.projectKey === projectKey
}
