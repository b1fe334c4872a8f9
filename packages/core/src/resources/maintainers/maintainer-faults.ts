import type { Fault } from '../../operation/errors.ts'
import type { Reader } from '../../storage/unit-of-work.ts'
import { members } from '../members/member.ts'
import { teams } from '../teams/team.ts'
import type { Maintained } from './maintainer.ts'

/** A fault of one of the two members that name a maintainer. */
export type MaintainerFault = Fault & { readonly attribute: keyof Maintained }

/** What is wrong with the maintainer that a caller gives: one of the two at most, and there must be such a one. */
export async function maintainerFaults(tx: Reader, given: Maintained): Promise<readonly MaintainerFault[]> {
  const faults = await missingMaintainers(tx, given)
  if (given.maintainerId === undefined || given.maintainerTeamKey === undefined) return faults
  const reason = 'must be left out where a member is the maintainer'
  return [...faults, { attribute: 'maintainerTeamKey', reason }]
}

/** The same where the thing as a whole tells that it has one at most: there must be such a member or team. */
export async function missingMaintainers(
  tx: Reader,
  { maintainerId, maintainerTeamKey }: Maintained,
): Promise<readonly MaintainerFault[]> {
  const [member, team] = await Promise.all([
    maintainerId === undefined || tx.get(members, { memberId: maintainerId }),
    maintainerTeamKey === undefined || tx.get(teams, { teamKey: maintainerTeamKey }),
  ])
  const faults: MaintainerFault[] = []
  if (!member) faults.push({ attribute: 'maintainerId', reason: 'must be the id of a member' })
  if (!team) faults.push({ attribute: 'maintainerTeamKey', reason: 'must be the key of a team' })
  return faults
}
