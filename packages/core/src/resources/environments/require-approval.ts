import type { ApprovalPass } from '../../operation/approval-pass.ts'
import type { GuardAction } from '../../operation/commit-guard.ts'
import { fail } from '../../operation/errors.ts'

/**
 * Refuses a change without an approval in an environment that requires approval, unless the caller requests to bypass
 * the approval.
 *
 * @param changed the changed resource.
 * @param alternative what the caller can do instead, for the message.
 * @returns the additional action that the caller needs for the change.
 * @throws ApiError `method_not_allowed` unless the caller requests to bypass approval
 *   (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export function requireBypass(
  environmentKey: string,
  { bypassRequiredApproval }: ApprovalPass,
  changed: Omit<GuardAction, 'action'>,
  alternative = 'create an approval request',
): readonly GuardAction[] {
  if (bypassRequiredApproval) return [{ ...changed, action: 'bypassRequiredApproval' }]
  const message = `The environment ${environmentKey} requires approval of this change: ${alternative}`
  return fail('method_not_allowed', { message })
}
