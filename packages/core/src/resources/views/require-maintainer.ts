import type { Context } from '../../operation/context.ts'
import type { Fault } from '../../operation/errors.ts'
import type { Reader } from '../../storage/unit-of-work.ts'
import { members } from '../members/member.ts'
import { teams } from '../teams/team.ts'
import type { View } from './view.ts'

type Maintained = Pick<View, 'maintainerId' | 'maintainerTeamKey'>

/** Refuses a maintainer who is not there, and two at once. */
export async function requireMaintainer(
  { tx, fail }: Context<Reader, 'invalid_request'>,
  { maintainerId: memberId, maintainerTeamKey: teamKey }: Maintained,
): Promise<void> {
  const errors: Fault[] = []
  if (memberId !== undefined && teamKey !== undefined) {
    errors.push({ attribute: 'maintainerTeamKey', reason: 'must be left out where there is a maintainerId' })
  }
  const [member, team] = await Promise.all([
    memberId === undefined || tx.get(members, { memberId }),
    teamKey === undefined || tx.get(teams, { teamKey }),
  ])
  if (!member) errors.push({ attribute: 'maintainerId', reason: 'must be the id of a member' })
  if (!team) errors.push({ attribute: 'maintainerTeamKey', reason: 'must be the key of a team' })
  if (errors.length > 0) fail('invalid_request', { errors })
}
