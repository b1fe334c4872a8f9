import { approvalIndex } from '../../models/approval-requests/approval-request.ts'
import type { DryRun } from '../../operation/dry-run.ts'
import { fail, refuse } from '../../operation/errors.ts'
import { overlayStorage } from '../../storage/overlay-storage.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import type { ApprovalRequestResponse } from '../approval-requests/approval-request-response.ts'
import type { ChangeInEnvironment, RequestInEnvironment, SimulationRequest } from './read-simulation.ts'

/**
 * Loads the change of an approval request or a scheduled change, as if the caller made it now.
 *
 * @throws ApiError `not_found` when it does not exist or the caller may not view it; `invalid_request` naming each
 *   instruction that conflicts with later changes, a missing or unexpected `environmentKey`, or a request with several
 *   instructions about the contents of an AI config, which no single operation makes.
 */
export async function loadPlannedChange(
  { storage, dryRun }: { readonly storage: AccountStorage; readonly dryRun: DryRun },
  request: SimulationRequest,
): Promise<ChangeInEnvironment> {
  const overlay = overlayStorage(storage).storage
  if ('approvalRequestId' in request) return loadRequestedChange(overlay, dryRun, request)
  const { environmentKeys, resourceKey, change } = request
  const id = 'scheduledChangeId' in change ? change.scheduledChangeId : ''
  const { response } = await dryRun(overlay, 'getScheduledChange', {
    ...environmentKeys,
    flagKey: resourceKey,
    id,
  })
  const { instructions, comment } = response as {
    readonly instructions: readonly unknown[]
    readonly comment?: string
  }
  return { ...request, change: { instructions, comment } }
}

async function loadRequestedChange(
  storage: AccountStorage,
  dryRun: DryRun,
  { approvalRequestId: id, environmentKey: comparedKey }: RequestInEnvironment,
): Promise<ChangeInEnvironment> {
  // The operation checks whether the caller may view the request.
  const { response } = await dryRun(storage, 'getApprovalRequest', { id })
  const { instructions, description, conflicts } = response as ApprovalRequestResponse
  if (conflicts.length > 0) {
    const errors = conflicts.map(({ instruction, reason }) => ({
      attribute: `instructions.${instructions.indexOf(instruction)}`,
      reason,
    }))
    fail('invalid_request', { errors })
  }
  const indexEntry = (await new StorageReader(storage).get(approvalIndex, { id })) ?? fail('not_found')
  const { kind, projectKey, environmentKey, resourceKey } = indexEntry
  if (kind === 'proj') refuse('approvalRequestId', 'must not be a request for a list of changes')
  if (environmentKey === undefined) {
    const keys = {
      projectKey,
      environmentKey: comparedKey ?? refuse('environmentKey', 'must be present for this request'),
    }
    return { kind, environmentKeys: keys, resourceKey, ...contentsChange(instructions, description) }
  }
  if (comparedKey !== undefined)
    refuse('environmentKey', `must be left out, because the request is about ${environmentKey}`)
  return {
    kind,
    environmentKeys: { projectKey, environmentKey },
    resourceKey,
    change: { instructions, comment: description },
  }
}

/** Returns the change of a request about the contents of an AI config as the body of the operation that makes it. */
function contentsChange(
  instructions: ApprovalRequestResponse['instructions'],
  comment: string | undefined,
): Pick<ChangeInEnvironment, 'variationKey' | 'change'> {
  const [instruction, ...others] = instructions
  if (!instruction || others.length > 0) refuse('approvalRequestId', 'must be the id of a request with 1 instruction')
  const { kind, variationKey, ...properties } = instruction as { readonly kind: string; readonly variationKey?: string }
  return { variationKey, change: { patch: properties, comment } }
}
