import type { ApprovalRequest } from '../../../models/approval-requests/approval-request.ts'
import type { ValidationError } from '../../../operation/errors.ts'
import { validateReferences } from '../../../operation/references.ts'
import type { Reader } from '../../../storage/reader.ts'
import { memberReference } from '../../members/member-reference.ts'
import { teamReference } from '../../teams/team-reference.ts'
import { reviewerCountError } from '../approval-request-body.ts'

export type RequestedReviewers = Pick<ApprovalRequest, 'notifyMemberIds' | 'notifyTeamKeys'>

/**
 * Returns the errors of the reviewers of a request: too many of them, or unknown ones.
 *
 * @param path prefix of the attributes, e.g. `instructions.0.`.
 */
export async function validateReviewers(
  tx: Reader,
  reviewers: RequestedReviewers,
  path = '',
): Promise<ValidationError[]> {
  const { notifyMemberIds, notifyTeamKeys } = reviewers
  const countError = reviewerCountError(reviewers)
  if (countError !== undefined) return [{ attribute: `${path}notifyMemberIds`, reason: countError }]
  return validateReferences(tx, [
    ...notifyMemberIds.map((id, index) => memberReference(`${path}notifyMemberIds.${index}`, id)),
    ...notifyTeamKeys.map((key, index) => teamReference(`${path}notifyTeamKeys.${index}`, key)),
  ])
}
