import type { Fault } from '../../operation/errors.ts'
import type { Reader } from '../../storage/unit-of-work.ts'
import { members } from '../members/member.ts'
import { teams } from '../teams/team.ts'
import type { Maintained } from './maintainer.ts'

/** What is wrong with the maintainer that a caller gives: one of the two at most, and there must be such a one. */
export async function maintainerFaults(
  tx: Reader,
  { maintainerId, maintainerTeamKey }: Maintained,
): Promise<readonly Fault[]> {
  const [member, team] = await Promise.all([
    maintainerId === undefined || tx.get(members, { memberId: maintainerId }),
    maintainerTeamKey === undefined || tx.get(teams, { teamKey: maintainerTeamKey }),
  ])
  const faults: Fault[] = []
  if (!member) faults.push({ attribute: 'maintainerId', reason: 'must be the id of a member' })
  if (!team) faults.push({ attribute: 'maintainerTeamKey', reason: 'must be the key of a team' })
  if (maintainerId !== undefined && maintainerTeamKey !== undefined) {
    faults.push({ attribute: 'maintainerTeamKey', reason: 'must be left out where a member is the maintainer' })
  }
  return faults
}
