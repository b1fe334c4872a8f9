import type { ApprovalPass } from '../../operation/approval-pass.ts'
import type { GuardAction } from '../../operation/commit-guard.ts'
import { fail } from '../../operation/errors.ts'

/** The change that needs approval, and the other way that the caller has. */
export interface ApprovalNeed {
  /** The changed resource. */
  readonly changed: Omit<GuardAction, 'action'>
  /** Names the other way that the caller has, for the message. */
  readonly alternative?: string
}

/**
 * Refuses a change without an approval in an environment that requires approval, unless the caller requests to bypass
 * the approval.
 *
 * @returns the additional action that the caller needs for the change.
 * @throws ApiError `method_not_allowed` unless the caller requests to bypass approval
 *   (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export function requireBypass(
  environmentKey: string,
  { bypassRequiredApproval }: ApprovalPass,
  { changed, alternative = 'create an approval request' }: ApprovalNeed,
): readonly GuardAction[] {
  if (bypassRequiredApproval) return [{ ...changed, action: 'bypassRequiredApproval' }]
  const message = `The environment ${environmentKey} requires approval of this change: ${alternative}`
  return fail('method_not_allowed', { message })
}
