import type { Fault } from '../../operation/errors.ts'
import type { Reader } from '../../storage/unit-of-work.ts'
import { members } from '../members/member.ts'
import { teams } from '../teams/team.ts'
import type { ApprovalRequest } from './approval-request.ts'
import { reviewerFault } from './approval-request-body-wire.ts'

export type NamedReviewers = Pick<ApprovalRequest, 'notifyMemberIds' | 'notifyTeamKeys'>

/**
 * What is wrong with the reviewers whom a request names: too many of them, or unknown ones.
 *
 * @param at what stands before their attributes, e.g. `instructions.0.`.
 */
export async function reviewerFaults(tx: Reader, named: NamedReviewers, at = ''): Promise<Fault[]> {
  const { notifyMemberIds, notifyTeamKeys } = named
  const tooMany = reviewerFault(named)
  if (tooMany !== undefined) return [{ attribute: `${at}notifyMemberIds`, reason: tooMany }]
  const [foundMembers, foundTeams] = await Promise.all([
    Promise.all(notifyMemberIds.map((memberId) => tx.get(members, { memberId }))),
    Promise.all(notifyTeamKeys.map((teamKey) => tx.get(teams, { teamKey }))),
  ])
  return [
    ...missing(foundMembers).map((index) => ({
      attribute: `${at}notifyMemberIds.${index}`,
      reason: 'must be the id of a member',
    })),
    ...missing(foundTeams).map((index) => ({
      attribute: `${at}notifyTeamKeys.${index}`,
      reason: 'must be the key of a team',
    })),
  ]
}

function missing(found: readonly unknown[]): number[] {
  return found.flatMap((one, index) => (one === undefined ? [index] : []))
}
