import { fail } from '../../operation/errors.ts'
import type { Action } from '../../vocabulary/policy-kinds.ts'
import type { ApprovalPass } from './approval-pass.ts'

/**
 * What a change needs that nobody has approved, in an environment which requires approval of it.
 *
 * @param way what the caller can do instead, for the message.
 * @returns the actions that the caller must have besides those of the change.
 * @throws ApiError `method_not_allowed` unless the caller asks to do without (D31).
 */
export function unapproved(
  environmentKey: string,
  { bypassRequiredApproval }: ApprovalPass,
  way = 'create an approval request',
): readonly Action[] {
  if (bypassRequiredApproval) return ['bypassRequiredApproval']
  const message = `The environment ${environmentKey} requires approval of this change: ${way}`
  return fail('method_not_allowed', { message })
}
