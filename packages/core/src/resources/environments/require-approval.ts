import { fail } from '../../operation/errors.ts'
import type { Action } from '../../vocabulary/policy-kinds.ts'
import type { ApprovalPass } from './approval-pass.ts'

/**
 * Requires that the caller bypasses approval for a change that no reviewer has approved, in an environment that
 * requires approval.
 *
 * @param alternative what the caller can do instead, for the message.
 * @returns the additional actions that the caller needs for the change.
 * @throws ApiError `method_not_allowed` unless the caller requests to bypass approval
 *   (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export function requireBypass(
  environmentKey: string,
  { bypassRequiredApproval }: ApprovalPass,
  alternative = 'create an approval request',
): readonly Action[] {
  if (bypassRequiredApproval) return ['bypassRequiredApproval']
  const message = `The environment ${environmentKey} requires approval of this change: ${alternative}`
  return fail('method_not_allowed', { message })
}
