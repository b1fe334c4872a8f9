import type { ScheduledChange, ScheduledChangeKeys } from '../../models/scheduled-changes/scheduled-change.ts'
import type { Context } from '../../operation/context.ts'
import { fail as forbid, type ValidationError } from '../../operation/errors.ts'
import type { Writer } from '../../storage/writer.ts'
import { applyDry } from '../approval-requests/subjects/dry-apply.ts'
import { loadFlagSubject } from '../approval-requests/subjects/flag-subject.ts'

type ValidateContext = Context<Writer, 'invalid_request' | 'not_found'>

/**
 * Validates that this caller could make a change now. A scheduled change runs with the rights of its author, so the
 * author must have the rights for it.
 *
 * @throws ApiError the errors of the change itself; `method_not_allowed` when its environment requires approval
 *   (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals);
 *   `invalid_request` for a time in the past.
 */
export async function validateChange(
  context: ValidateContext,
  { projectKey, environmentKey, flagKey }: Omit<ScheduledChangeKeys, 'id'>,
  { instructions, executionDate, comment }: Pick<ScheduledChange, 'instructions' | 'executionDate' | 'comment'>,
): Promise<void> {
  const { tx, fail } = context
  const now = context.readClock()
  const errors: ValidationError[] =
    executionDate > now ? [] : [{ attribute: 'executionDate', reason: 'must be in the future' }]
  if (errors.length > 0) fail('invalid_request', { errors })
  const resourceRef = { kind: 'flag', projectKey, environmentKey, resourceKey: flagKey } as const
  const subject = (await loadFlagSubject(tx, resourceRef)) ?? fail('not_found')
  const changedDocuments = await applyDry(context, { subject, instructions }, { comment, fullCheck: true }, {})
  for (const { collection, keys, before, actions } of changedDocuments) {
    for (const action of actions) {
      if (await context.allowed(action, collection, keys, before)) continue
      // `allowed` instead of `demand`, because the change log records the rights for scheduling now, and the rights for
      // the change when it is made.
      forbid('forbidden', { explanation: await context.whyNot(action, collection, keys, before) })
    }
  }
  subject.requireUnchanged(tx)
}
