import { type ApprovalRequest, requestsAbout } from '../../../models/approval-requests/approval-request.ts'
import { type DecodedBody, semanticPatchBody } from '../../../operation/body.ts'
import type { Context } from '../../../operation/context.ts'
import type { ValidationError } from '../../../operation/errors.ts'
import type { Writer } from '../../../storage/writer.ts'
import { requestInstruction } from '../approval-request-body.ts'
import type { ApprovalRequestResponse } from '../approval-request-response.ts'
import { requestKeysOf } from '../find-request.ts'
import { serializeSingleRequest } from '../serialize-requests.ts'
import { requireStep } from './require-step.ts'
import { validateReviewers } from './validate-reviewers.ts'

/**
 * Body of a patch of a request. It contains only instructions, and none of them changes content that reviewers have
 * read.
 */
export const requestPatch = semanticPatchBody(requestInstruction)

/**
 * Adds reviewers to a request or changes its description
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch,
 * docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
export async function editRequest(
  context: Context<Writer, 'invalid_request' | 'not_found' | 'optimistic_locking_error'>,
  before: ApprovalRequest,
  body: DecodedBody<typeof requestPatch>,
): Promise<ApprovalRequestResponse> {
  const { tx } = context
  context.requireRevision(before.version)
  await requireStep(context, before, { do: 'edit' })
  let edited = before
  const errors: ValidationError[] = []
  for (const [index, instruction] of body.instructions.entries()) {
    if (instruction.kind === 'updateDescription') {
      edited = { ...edited, description: instruction.value }
      continue
    }
    const { notifyMemberIds, notifyTeamKeys } = instruction
    edited = {
      ...edited,
      notifyMemberIds: [...new Set([...edited.notifyMemberIds, ...notifyMemberIds])],
      notifyTeamKeys: [...new Set([...edited.notifyTeamKeys, ...notifyTeamKeys])],
    }
    errors.push(...(await validateReviewers(tx, instruction, `instructions.${index}.`)))
  }
  if (errors.length === 0) errors.push(...(await validateReviewers(tx, edited)))
  if (errors.length > 0) context.fail('invalid_request', { errors })
  const after = tx.replace(requestsAbout(before.place), requestKeysOf(before), before, edited)
  context.setRevision(after.version)
  return serializeSingleRequest(context, after, [])
}
