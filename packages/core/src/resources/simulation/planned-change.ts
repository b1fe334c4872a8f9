import { approvalPlaces } from '../../models/approval-requests/approval-request.ts'
import type { DryRun } from '../../operation/dry-run.ts'
import { fail } from '../../operation/errors.ts'
import { overlayStorage } from '../../storage/overlay-storage.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import type { ApprovalRequestAnswer } from '../approval-requests/approval-request-wire.ts'
import type { AskedSimulation, PlacedChange } from './read-simulation.ts'

/**
 * Loads the change of an approval request or a scheduled change, as if the caller made it now.
 *
 * @throws ApiError `not_found` when it does not exist or the caller may not view it; `invalid_request` naming each
 *   instruction that conflicts with later changes.
 */
export async function plannedChange(
  { storage, dryRun }: { readonly storage: AccountStorage; readonly dryRun: DryRun },
  asked: AskedSimulation,
): Promise<PlacedChange> {
  const glass = overlayStorage(storage).storage
  if ('approvalRequestId' in asked) return requestedChange(glass, dryRun, asked.approvalRequestId)
  const { place, resourceKey, change } = asked
  const id = 'scheduledChangeId' in change ? change.scheduledChangeId : ''
  const { response: answer } = await dryRun(glass, 'getScheduledChange', { ...place, featureFlagKey: resourceKey, id })
  const { instructions, comment } = answer as {
    readonly instructions: readonly unknown[]
    readonly comment?: string
  }
  return { ...asked, change: { instructions, comment } }
}

async function requestedChange(storage: AccountStorage, dryRun: DryRun, id: string): Promise<PlacedChange> {
  // The operation checks whether the caller may view the request.
  const { response: answer } = await dryRun(storage, 'getApprovalRequest', { id })
  const { instructions, description, conflicts } = answer as ApprovalRequestAnswer
  if (conflicts.length > 0) {
    const errors = conflicts.map(({ instruction, reason }) => ({
      attribute: `instructions.${instructions.indexOf(instruction)}`,
      reason,
    }))
    fail('invalid_request', { errors })
  }
  const found = (await new StorageReader(storage).get(approvalPlaces, { id })) ?? fail('not_found')
  const { kind, projectKey, environmentKey, resourceKey } = found
  return {
    kind,
    place: { projectKey, environmentKey },
    resourceKey,
    change: { instructions, comment: description },
  }
}
