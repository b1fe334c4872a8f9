import type { ApprovalRequest } from '../../../models/approval-requests/approval-request.ts'
import type { Fault } from '../../../operation/errors.ts'
import { validateReferences } from '../../../operation/references.ts'
import type { Reader } from '../../../storage/reader.ts'
import { memberReference } from '../../members/member-reference.ts'
import { teamReference } from '../../teams/team-reference.ts'
import { reviewerFault } from '../approval-request-body-wire.ts'

export type NamedReviewers = Pick<ApprovalRequest, 'notifyMemberIds' | 'notifyTeamKeys'>

/**
 * Returns the errors of the reviewers of a request: too many of them, or unknown ones.
 *
 * @param path prefix of the attributes, e.g. `instructions.0.`.
 */
export async function reviewerFaults(tx: Reader, named: NamedReviewers, at = ''): Promise<Fault[]> {
  const { notifyMemberIds, notifyTeamKeys } = named
  const tooMany = reviewerFault(named)
  if (tooMany !== undefined) return [{ attribute: `${at}notifyMemberIds`, reason: tooMany }]
  return validateReferences(tx, [
    ...notifyMemberIds.map((id, index) => memberReference(`${at}notifyMemberIds.${index}`, id)),
    ...notifyTeamKeys.map((key, index) => teamReference(`${at}notifyTeamKeys.${index}`, key)),
  ])
}
