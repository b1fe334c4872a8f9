import type { ApprovalRequest } from '../../../models/approval-requests/approval-request.ts'
import type { ApprovalSettings } from '../../../models/environments/approval-settings.ts'
import { environments } from '../../../models/environments/environment.ts'
import type { Context } from '../../../operation/context.ts'
import { type ApprovalStep, approvalRefusal } from '../../../rules/approval/approval-steps.ts'
import type { Writer } from '../../../storage/writer.ts'
import { loadRequestEnvironments, settingsOfRequest } from '../request-environments.ts'

/**
 * Rejects a step that a request does not allow. The commit requires that the settings of the environment are unchanged.
 *
 * @returns the current approval settings of the environments that the request changes.
 * @throws ApiError `invalid_request` with the reason; `not_found` when the environment was deleted concurrently.
 */
export async function requireStep(
  { tx, fail }: Pick<Context<Writer, 'invalid_request' | 'not_found'>, 'tx' | 'fail'>,
  request: ApprovalRequest,
  step: ApprovalStep,
): Promise<ApprovalSettings> {
  const { place: resourceRef } = request
  const concerned = (await loadRequestEnvironments(tx, resourceRef)) ?? fail('not_found')
  const settings = settingsOfRequest(resourceRef, concerned)
  const message = approvalRefusal(request, step, settings)
  if (message !== undefined) fail('invalid_request', { message })
  for (const environment of concerned) {
    tx.expect(environments, { ...resourceRef, environmentKey: environment.key }, environment)
  }
  return settings
}
