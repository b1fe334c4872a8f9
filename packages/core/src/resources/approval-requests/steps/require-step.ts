import type { ApprovalRequest } from '../../../models/approval-requests/approval-request.ts'
import { type ApprovalSettings, settingsFor } from '../../../models/environments/approval-settings.ts'
import { environments } from '../../../models/environments/environment.ts'
import type { Context } from '../../../operation/context.ts'
import { type ApprovalStep, approvalRefusal } from '../../../rules/approval/approval-steps.ts'
import type { Writer } from '../../../storage/writer.ts'

/**
 * Rejects a step that a request does not allow. The commit requires that the settings of the environment are unchanged.
 *
 * @returns the current settings of the environment for the request.
 * @throws ApiError `invalid_request` with the reason; `not_found` when the environment was deleted concurrently.
 */
export async function requireStep(
  { tx, fail }: Pick<Context<Writer, 'invalid_request' | 'not_found'>, 'tx' | 'fail'>,
  request: ApprovalRequest,
  step: ApprovalStep,
): Promise<ApprovalSettings> {
  const environment = (await tx.get(environments, request.place)) ?? fail('not_found')
  const settings = settingsFor(environment, request.place.kind)
  const message = approvalRefusal(request, step, settings)
  if (message !== undefined) fail('invalid_request', { message })
  tx.expect(environments, request.place, environment)
  return settings
}
