import { type Perform, systemCaller } from '../../operation/perform.ts'
import { whyRefused } from '../../operation/why-refused.ts'
import type { AccountStorage, TakenTask } from '../../storage/port.ts'
import { callerBehind } from '../tokens/mandate.ts'
import { applyDueRequest, failDueRequest } from './apply-due-request.ts'
import { type ApprovalRequest, approvalRequests, type DueRequestTask } from './approval-request.ts'

/**
 * Applies one request whose time has come, if reviewers have approved it by then, with what is left of the rights of
 * whoever made it.
 *
 * @returns whether it was applied; where it cannot be, it has failed and says why.
 * @throws ApiError where it can be tried again.
 */
export async function makeDueRequest(
  { storage, perform }: { readonly storage: Pick<AccountStorage, 'get' | 'getMany'>; readonly perform: Perform },
  { id, takes, body }: TakenTask,
): Promise<boolean> {
  const { place } = body as DueRequestTask
  const request = (await storage.get(approvalRequests[place.kind].id({ ...place, id })))?.body as
    | ApprovalRequest
    | undefined
  const name = `approval-request/${id}`
  const caller = request?.mandate ? await callerBehind(storage, request.mandate, name) : systemCaller(name)
  const input = { params: {}, body: { id, takes, place } }
  const reason = caller
    ? await whyRefused(() => perform(applyDueRequest, caller, input), takes)
    : 'whoever made the request is no longer a member'
  if (reason === undefined) return true
  await perform(failDueRequest, systemCaller(name), { ...input, body: { ...input.body, reason } })
  return false
}
